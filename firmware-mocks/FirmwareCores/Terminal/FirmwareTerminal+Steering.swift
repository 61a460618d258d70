extension FirmwareTerminal {
    /// What a steering command changed at the reader.
    public enum Steered: Sendable, Hashable {
        case cardPresented(CardPresentation)
        case cardRemoved
        case nothing
        case complaint(String)
        /// The command is for somebody else.
        case notUnderstood
    }

    /// `insert [CARD]`, `tap [CARD]`, `swipe [CARD [SERVICECODE]]`, `remove`, `pull MOMENT`. Without a name the card that
    /// was last there comes again. A tapped or swiped card is read once, now or when a payment next waits for it.
    public func steer(_ command: String) -> Steered {
        let words = command.split(separator: " ")
        switch words.first {
        case "insert" where words.count <= 2:
            return present(.inserted, words.dropFirst().first)
        case "tap" where words.count <= 2:
            return present(.tapped, words.dropFirst().first)
        case "swipe" where words.count <= 3:
            let code = words.count == 3 ? String(words[2]) : nil
            guard code.map({ $0.count == 3 && $0.allSatisfy(\.isWholeNumber) }) ?? true else {
                return .complaint("a service code has three digits")
            }
            swipedServiceCode = code
            return present(.swiped, words.dropFirst().first)
        case "remove" where words.count == 1:
            guard card != nil else { return .complaint("there is no card at the reader") }
            takeAway()
            return .cardRemoved
        case "pull" where words.count == 2:
            guard let moment = CardBehaviour.Moment(String(words[1])) else {
                return .complaint("a moment is a command number, gpo, first-ac or second-ac")
            }
            card?.pulled = moment
            return .nothing
        default:
            return .notUnderstood
        }
    }

    /// Gives a card to the reader.
    public func present(_ newCard: EMVCardCore, _ how: CardPresentation) {
        newCard.wasPulled = false
        newCard.powerOff()
        card = newCard
        lastCard = newCard
        presentation = how
    }

    private func present(_ how: CardPresentation, _ name: Substring?) -> Steered {
        if presentation == .inserted, how == .inserted { return .complaint("there is a card in the reader already") }
        if let name {
            guard let profile = CardProfile.named(String(name)) else {
                return .complaint("there is no card profile \(name)")
            }
            present(EMVCardCore(profile: profile), how)
        } else {
            guard let lastCard else { return .complaint("say which card") }
            present(lastCard, how)
        }
        return .cardPresented(how)
    }
}
