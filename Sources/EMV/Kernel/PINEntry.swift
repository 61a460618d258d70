public import Crypto

/// What the kernel asks of whoever can take a PIN. The digits stay in the PIN pad: what comes back is a block, or the
/// result of a VERIFY that the pad made by itself.
public struct PINRequest: Sendable, Hashable {
    public enum Method: Sendable, Hashable {
        /// The card checks it, in clear between pad and card.
        case offlinePlaintext
        /// The card checks it, enciphered under its own key.
        case offlineEnciphered
        /// The issuer checks it; the pad keeps the enciphered block for the host's message.
        case online
    }

    public let method: Method
    /// How often the card still lets the cardholder try, if it said so. Nil for an online PIN.
    public let triesLeft: Int?
    /// The PIN before was wrong.
    public let isRepeated: Bool

    public init(method: Method, triesLeft: Int? = nil, isRepeated: Bool = false) {
        self.method = method
        self.triesLeft = triesLeft
        self.isRepeated = isRepeated
    }

    public var isLastTry: Bool { triesLeft == 1 }
}

public enum PINAnswer: Sendable {
    /// Eight bytes in format 2 (Book 3, 6.5.12), for an offline method: the kernel sends VERIFY. A PC that sees this block is
    /// in scope of PCI PTS; only test pads give it.
    case block(SecretBytes)
    /// The pad sent VERIFY itself; this is the card's answer.
    case verified(StatusWord)
    /// An online PIN was captured.
    case captured
    /// The cardholder or the attendant went past PIN entry.
    case bypassed
    /// The pad is missing or does not work.
    case padFailed
    /// The cardholder pressed cancel, or let the time run out: the transaction ends.
    case cancelled
}
