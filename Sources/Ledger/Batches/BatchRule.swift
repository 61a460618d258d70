/// Which transactions belong to a batch. What the states mean is the caller's knowledge.
public struct BatchRule: Hashable, Sendable {
    /// A sale in one of these states has moved money.
    public var sales: Set<StateName>
    /// A refund in one of these states has moved money.
    public var refunds: Set<StateName>
    /// Nobody knows yet whether these have.
    public var unresolved: Set<StateName>

    public init(sales: Set<StateName>, refunds: Set<StateName>, unresolved: Set<StateName>) {
        self.sales = sales
        self.refunds = refunds
        self.unresolved = unresolved
    }

    /// What has moved money and is in no batch. With a plan of recovery it is to be taken back, and waits.
    var members: Condition {
        Condition.all([
            moved, Condition(sql: "batch IS NULL AND resolve_at IS NULL", values: []), known, notTakenBack,
        ])
    }

    /// A sale that is taken back whole, or is just being taken back, and the refund that does it, are in no batch: for the
    /// host neither has been.
    private var notTakenBack: Condition {
        let standing = Condition.state(in: refunds.union(unresolved))
        return Condition(
            sql: """
                returned_as IS NOT 'void' AND NOT EXISTS (
                    SELECT 1 FROM transactions AS back
                    WHERE back.original_id = transactions.id AND back.returned_as = 'void'
                    AND back.\(standing.sql))
                """, values: standing.values)
    }

    /// What keeps a batch from being closed.
    var obstacles: Condition {
        let open = Condition.state(in: unresolved)
        return Condition(
            sql: """
                batch IS NULL AND (\(open.sql) OR ((resolve_at IS NOT NULL OR \(waiting)) AND \(moved.sql)))
                """, values: open.values + moved.values)
    }

    /// What was approved without the host belongs to a batch when the host has booked it, and to none when it refuses.
    private var known: Condition { Condition(sql: "(offline IS NULL OR offline = 'forwarded')", values: []) }

    /// The host has not heard of it yet.
    private var waiting: String { "offline = 'stored'" }

    private var moved: Condition {
        let (sales, refunds) = (Condition.state(in: sales), Condition.state(in: refunds))
        return Condition(
            sql: "((kind = 'sale' AND \(sales.sql)) OR (kind = 'refund' AND \(refunds.sql)))",
            values: sales.values + refunds.values)
    }
}

/// What became of the wish to open a batch.
public enum BatchOpening: Hashable, Sendable {
    /// Numbered, with its members and totals, on disk.
    case opened(BatchRecord)
    /// An earlier one was not ended: it has the members and totals that it had then.
    case resumed(BatchRecord)
    /// These have no end yet, the oldest first. Nothing was written.
    case blocked([TransactionRecord])
    /// Nothing was written, and no number is used.
    case nothing
}
