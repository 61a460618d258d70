public import Money

/// One movement of money in the simulator's book.
public struct BookEntry: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        /// To the merchant.
        case sale
        /// Back to the cardholder.
        case refund
        /// Takes a sale or a refund back.
        case reversal
    }

    public let attempt: AttemptID
    public let kind: Kind
    public let amount: Amount
    /// What the entry adds to the merchant's total, in minor units; negative when it takes away.
    public let signedMinorUnits: Int64
    /// Nil: not told, and counted for every terminal.
    let terminal: BookTerminal?
}
