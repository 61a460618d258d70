import Readers

/// What the person at the kiosk should know or do now. Prompts are not errors.
public enum PaymentProgress: String, Sendable, Hashable, CaseIterable {
    case insertCard
    /// In whichever way the reader takes it.
    case presentCard
    case tapCard
    case swipeCard
    case useChip
    case useStripe
    case presentOneCardOnly
    case tryAgain
    case seePhone
    case enterPIN
    case chooseApplication
    case doNotRemoveCard
    case authorising
    case removeCard

    /// A short line for a screen.
    public func text(in language: DisplayLanguage) -> String {
        let (spanish, english) = texts
        return language == .spanish ? spanish : english
    }

    private var texts: (spanish: String, english: String) {
        switch self {
        case .insertCard: ("Inserte la tarjeta", "Insert card")
        case .presentCard: ("Inserte, acerque o deslice la tarjeta", "Insert, tap or swipe card")
        case .tapCard: ("Acerque la tarjeta", "Tap card")
        case .swipeCard: ("Deslice la tarjeta", "Swipe card")
        case .useChip: ("La tarjeta tiene chip: insértela", "The card has a chip: insert it")
        case .useStripe: ("Deslice la banda de la tarjeta", "Swipe the card's stripe")
        case .presentOneCardOnly: ("Presente una sola tarjeta", "Present one card only")
        case .tryAgain: ("Intente de nuevo", "Try again")
        case .seePhone: ("Vea su teléfono", "See your phone")
        case .enterPIN: ("Ingrese su NIP", "Enter PIN")
        case .chooseApplication: ("Elija la aplicación", "Choose the application")
        case .doNotRemoveCard: ("No retire la tarjeta", "Do not remove card")
        case .authorising: ("Autorizando", "Authorising")
        case .removeCard: ("Retire la tarjeta", "Remove card")
        }
    }

    /// What a reader that runs EMV itself asks for.
    init(_ prompt: CardholderPrompt) {
        self =
            switch prompt {
            case .presentCard: .presentCard
            case .insertCard: .insertCard
            case .swipeCard: .swipeCard
            case .tapCard: .tapCard
            case .removeCard: .removeCard
            case .doNotRemoveCard, .processing: .doNotRemoveCard
            case .tryAgain: .tryAgain
            case .useChip: .useChip
            case .useStripe: .useStripe
            case .presentOneCardOnly: .presentOneCardOnly
            case .seePhone: .seePhone
            case .enterPIN: .enterPIN
            case .chooseApplication: .chooseApplication
            }
    }
}
