/// What the person at the reader should do now, in the reader's order. Not an error: the payment goes on.
public enum CardholderPrompt: String, Sendable, Hashable, CaseIterable {
    case presentCard
    case insertCard
    case swipeCard
    case tapCard
    case removeCard
    case doNotRemoveCard
    case tryAgain
    /// The card has a chip: it is to be inserted.
    case useChip
    case useStripe
    case presentOneCardOnly
    case seePhone
    case enterPIN
    case chooseApplication
    case processing
}
