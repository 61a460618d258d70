public import EMV
public import Money

/// A request to give money back. Its text form never shows card data.
public struct RefundAuthorisation: Sendable {
    /// The refund's own identity.
    public let attempt: AttemptID
    /// The sale that is refunded, in whole or in part.
    public let originalAttempt: AttemptID
    public let amount: Amount
    /// The card, when it was presented again; a refund by transaction needs none.
    public let pan: PAN?
    /// Field 55, when the card was presented again.
    public let chipData: [UInt8]
    public let terminal: TerminalIdentity
    public let moment: LocalDateTime

    public init(
        attempt: AttemptID, originalAttempt: AttemptID, amount: Amount, pan: PAN? = nil, chipData: [UInt8] = [],
        terminal: TerminalIdentity, moment: LocalDateTime
    ) {
        self.attempt = attempt
        self.originalAttempt = originalAttempt
        self.amount = amount
        self.pan = pan
        self.chipData = chipData
        self.terminal = terminal
        self.moment = moment
    }
}

extension RefundAuthorisation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "refund \(attempt) of \(originalAttempt): \(amount) \(amount.currency.code)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
