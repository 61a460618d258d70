/// A sale that was approved without the host and that the host has not confirmed. What is to be sent is sealed: the ledger
/// knows neither its key nor its content.
public struct StoredPayment: Hashable, Sendable {
    public let transactionID: String
    /// Minor units, with the tip.
    public let amount: Int64
    /// ISO 4217 numeric code.
    public let currency: UInt16
    /// Unix milliseconds.
    public let storedAt: Int64
    public let sealed: [UInt8]
    /// An attempt may have reached the host.
    public let mayHaveLeft: Bool
    /// Unix milliseconds of the next attempt.
    public let dueAt: Int64
    /// Attempts that have begun.
    public let tries: Int
}

/// What is stored in all.
public struct StoredTotal: Hashable, Sendable {
    public let count: Int
    /// Minor units, of all currencies.
    public let amount: Int64

    public init(count: Int, amount: Int64) {
        self.count = count
        self.amount = amount
    }
}

/// What a step does to the stored payment of its transaction, in the same commit.
public enum StoredPaymentStep: Hashable, Sendable {
    case keep
    /// A reservation that was not used goes; a stored payment stays.
    case release
    /// The reservation becomes a stored payment, due at once.
    case store(sealed: [UInt8])
    /// An attempt begins: counted, and due again at this time (unix milliseconds), should this program be gone by then.
    case attempt(until: Int64)
    /// The attempt is over without an answer; due at this time (unix milliseconds).
    ///
    /// - Parameter mayHaveLeft: whether an attempt up to now may have reached the host.
    case retry(at: Int64, mayHaveLeft: Bool)
    /// It is overwritten and goes.
    ///
    /// - Parameter unsent: only if no attempt may have reached the host.
    case remove(unsent: Bool)
}
