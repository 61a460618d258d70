/// What the host is told to do when money goes back to a payer.
public enum ReturnOperation: String, Hashable, Sendable, CaseIterable {
    /// The whole sale is taken back, as if it had not been: neither it nor its refund belongs to a batch.
    case void
    /// A movement of money of its own.
    case refund
}
