/// What a transaction moves: money from the cardholder, or back to the cardholder.
public enum TransactionKind: String, Hashable, Sendable, CaseIterable {
    case sale
    case refund
}
