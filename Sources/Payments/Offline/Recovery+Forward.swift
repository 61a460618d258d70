public import Ledger

extension Recovery {
    /// An offline approval that the host has not confirmed.
    public static func isStored(_ record: TransactionRecord) -> Bool {
        record.offline == .stored && record.state == PaymentState.approved.name
    }

    /// The sales of which the host has to hear, those that are to be voided left out.
    func storedSales(_ selection: Selection, now: Int64) async throws(LedgerError) -> [TransactionRecord] {
        var sales: [TransactionRecord] = []
        for stored in try await pipeline.ledger.storedPayments()
        where selection == .all || RecoverySchedule.isDue(stored.dueAt, now: now) {
            let sale = try await pipeline.ledger.transaction(stored.transactionID)
            if Self.isStored(sale), !Self.owesVoid(sale) { sales.append(sale) }
        }
        return sales
    }
}
