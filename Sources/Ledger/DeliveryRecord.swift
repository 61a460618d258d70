/// How far the notice of one transaction has come. Times are unix milliseconds.
public struct DeliveryRecord: Sendable, Hashable {
    public var transactionID: String
    /// What is told, for example `webhook`.
    public var kind: String
    /// `pending`, `delivered` or `dead`.
    public var state: StateName
    /// Attempts made, 0 and up.
    public var tries: Int
    /// Nil exactly when not pending.
    public var dueAt: Int64?

    public init(transactionID: String, kind: String, state: StateName, tries: Int, dueAt: Int64?) {
        self.transactionID = transactionID
        self.kind = kind
        self.state = state
        self.tries = tries
        self.dueAt = dueAt
    }
}
