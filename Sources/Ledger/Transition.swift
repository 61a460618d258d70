/// One step of one transaction, to be made only if the transaction is in one of the states it is expected in.
public struct Transition: Hashable, Sendable {
    public var id: String
    public var from: Set<StateName>
    public var to: StateName
    public var change: TransactionChange
    /// A short remark for the journal, without card data.
    public var detail: String?
    public var recovery: RecoveryPlan
    public var stored: StoredPaymentStep
    /// Unix milliseconds when it happened, for a step that is written later than that; nil: the time of the commit.
    public var at: Int64?
    /// Only while it belongs to no settlement batch.
    public var isOutsideBatches: Bool

    public init(
        _ id: String, from: Set<StateName>, to: StateName, change: TransactionChange = TransactionChange(),
        detail: String? = nil, recovery: RecoveryPlan = .keep, stored: StoredPaymentStep = .keep, at: Int64? = nil,
        isOutsideBatches: Bool = false
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.change = change
        self.detail = detail
        self.recovery = recovery
        self.stored = stored
        self.at = at
        self.isOutsideBatches = isOutsideBatches
    }
}
