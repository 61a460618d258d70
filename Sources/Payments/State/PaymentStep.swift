import Ledger

/// Steps of a payment for the ledger. Only edges of `PaymentState` can be written: a step lists no other state to come from,
/// so the ledger refuses an illegal one with `LedgerError.Code.conflict`, whatever state the row is in.
extension Transition {
    static func step(
        _ id: String, from: Set<PaymentState>, to: PaymentState, change: TransactionChange = TransactionChange(),
        detail: String? = nil, recovery: RecoveryPlan = .keep, stored: StoredPaymentStep = .keep, at: Int64? = nil
    ) -> Transition {
        let legal = from.intersection(to.predecessors)
        return Transition(
            id, from: Set(legal.map(\.name)), to: to.name, change: change, detail: detail, recovery: recovery,
            stored: stored, at: at)
    }

    static func step(
        _ record: TransactionRecord, to: PaymentState, change: TransactionChange = TransactionChange(),
        detail: String? = nil, recovery: RecoveryPlan = .keep, stored: StoredPaymentStep = .keep
    ) -> Transition {
        let from: Set<PaymentState> = PaymentState(record.state).map { [$0] } ?? []
        return step(record.id, from: from, to: to, change: change, detail: detail, recovery: recovery, stored: stored)
    }

    /// Facts or a plan for a payment that stays in its state.
    static func remark(
        _ record: TransactionRecord, change: TransactionChange = TransactionChange(), detail: String,
        recovery: RecoveryPlan = .keep, stored: StoredPaymentStep = .keep
    ) -> Transition {
        Transition(
            record.id, from: [record.state], to: record.state, change: change, detail: detail, recovery: recovery,
            stored: stored)
    }
}
