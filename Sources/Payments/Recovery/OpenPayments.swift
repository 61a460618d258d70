public import Ledger

/// What has no end yet, for whoever only looks: nothing is locked, sent or changed.
public struct OpenPayments: Sendable {
    /// What recovery or a person has to see to, in no order.
    public private(set) var open: [TransactionRecord] = []
    /// What running programs have in hand: they will end it.
    public private(set) var underWay: [TransactionRecord] = []

    /// - Parameter dataDirectory: where the ledger is.
    public init(in ledger: Ledger, dataDirectory: String) async throws(LedgerError) {
        try await self.init(in: ledger, RunningDirectory(dataDirectory: dataDirectory))
    }

    init(in ledger: Ledger, _ directory: RunningDirectory) async throws(LedgerError) {
        for listed in try await Recovery.unresolved(in: ledger) {
            if let program = Recovery.programInCharge(of: listed), directory.isRunning(program) {
                underWay.append(listed)
                continue
            }
            // Its program may have ended it since the list was read, and gone.
            let record = try await ledger.transaction(listed.id)
            if Recovery.isUnresolved(record) { open.append(record) }
        }
    }
}

extension Recovery {
    /// The id of the program whose payment it is for as long as it runs. An unknown payment, one that waits for a person, a
    /// sale to be voided and one to be forwarded is in nobody's hands.
    static func programInCharge(of record: TransactionRecord) -> String? {
        let isNobodys =
            record.state == PaymentState.unknown.name || record.state == PaymentState.manualReview.name
            || owesVoid(record) || isStored(record)
        return isNobodys ? nil : record.owner
    }
}
