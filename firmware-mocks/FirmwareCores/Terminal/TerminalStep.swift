/// Where a reader's kernel stands after a step.
public enum TerminalStep: Sendable {
    /// Waits for a card, or for another one.
    case waiting(TerminalPrompt)
    /// Labels in the order of priority.
    case choice([String])
    /// ARQC, or a stripe: the issuer must be asked.
    case online(TerminalResult)
    /// TC, or an approval that a stripe or a tapped card has no part in.
    case approved(TerminalResult)
    case declined(TerminalResult)
    case ended(TerminalEnd)
}

/// What the cardholder should do.
public enum TerminalPrompt: String, Sendable, Hashable, CaseIterable {
    case presentCard, useChip, useStripe
}

/// Why a payment ended without a cryptogram.
public enum TerminalEnd: Sendable, Hashable {
    /// No application that is taken, or it refused.
    case notAccepted
    case cardBlocked
    case applicationBlocked
    /// The chip does not answer, and no fallback is allowed.
    case chipUnreadable
    /// The card's data or its behaviour are wrong; the last status word.
    case cardFault(status: UInt16)
    case cardRemoved
    /// The host did something out of its turn.
    case outOfTurn
}

/// What the kernel tells of the card.
public struct TerminalResult: Sendable {
    public enum Entry: String, Sendable, Hashable, CaseIterable {
        case contact, contactless, stripe, fallback

        /// The value of tag 9F39 (ISO 8583:1987, field 22, as EMV uses it).
        public var posEntryMode: UInt8 {
            switch self {
            case .contact: 0x05
            case .contactless: 0x07
            case .stripe: 0x90
            case .fallback: 0x80
            }
        }
    }

    public let entry: Entry
    /// Without 5A, 57 and 5F20; those are in the account.
    public let objects: TerminalObjects
    public let account: SecuredAccount
}

extension TerminalResult: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(entry.rawValue), \(objects)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
