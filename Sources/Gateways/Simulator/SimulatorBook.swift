import Money

/// Everything the simulated host remembers. A value: the simulator keeps it behind its lock.
struct SimulatorBook {
    /// Attempts that are remembered; more are refused, so that memory is bounded.
    static let capacity = 100_000

    private(set) var records: [AttemptID: SimulatorRecord] = [:]
    private(set) var entries: [BookEntry] = []
    private(set) var decisions: [IssuerDecision] = []
    /// Attempts that were reversed before they arrived.
    private(set) var tombstones: Set<AttemptID> = []
    private var batches = HostBatches()

    var isFull: Bool { records.count + tombstones.count >= Self.capacity }

    /// Books an answer once; the first record of an attempt stays. An attempt that was reversed before it arrived is
    /// declined whatever the answer was.
    mutating func add(_ record: SimulatorRecord, for attempt: AttemptID, _ decision: IssuerDecision) -> SimulatorRecord
    {
        if let known = records[attempt] { return known }
        guard !tombstones.contains(attempt) else {
            tombstones.remove(attempt)
            let late = record.declined(.invalidTransaction)
            return enter(late, for: attempt, decision.replaced(by: .invalidTransaction, .reversedBefore))
        }
        return enter(record, for: attempt, decision)
    }

    /// Books a refund if that much of the sale is left. Looking and booking are one step, so that two refunds at the
    /// same time cannot both take the rest.
    mutating func addRefund(_ record: SimulatorRecord, for attempt: AttemptID) -> SimulatorRecord {
        if let known = records[attempt] { return known }
        let refusal: (ResponseCode, IssuerDecision.Reason)? =
            if tombstones.contains(attempt) {
                (.invalidTransaction, .reversedBefore)
            } else if let sale = record.original.flatMap({ records[$0] }), sale.kind == .sale, sale.isApproved,
                !sale.isReversed, sale.asked.currency == record.asked.currency
            {
                sale.response.approvedAmount.minorUnits - sale.refundedMinorUnits < record.asked.minorUnits
                    ? (.invalidAmount, .refundTooLarge) : nil
            } else {
                (.invalidTransaction, .nothingToRefund)
            }
        guard let (code, reason) = refusal else {
            let sale = record.original.flatMap { records[$0] }
            let decision = IssuerDecision(attempt: attempt, responseCode: .approved, reason: .refunded, scheme: nil)
            return enter(record.naming(sale?.response), for: attempt, decision)
        }
        tombstones.remove(attempt)
        let decision = IssuerDecision(attempt: attempt, responseCode: code, reason: reason, scheme: nil)
        return enter(record.declined(code), for: attempt, decision)
    }

    private mutating func enter(_ record: SimulatorRecord, for attempt: AttemptID, _ decision: IssuerDecision)
        -> SimulatorRecord
    {
        var record = record
        // A refund that does not say where it was made was made where the sale was.
        record.terminal = record.terminal ?? record.original.flatMap { records[$0]?.terminal }
        records[attempt] = record
        decisions.append(decision)
        guard record.isApproved else { return record }
        let minorUnits = record.response.approvedAmount.minorUnits
        if let original = record.original {
            records[original]?.refundedMinorUnits += minorUnits
        }
        entries.append(
            BookEntry(
                attempt: attempt, kind: record.kind, amount: record.response.approvedAmount,
                signedMinorUnits: record.kind == .refund ? -minorUnits : minorUnits, terminal: record.terminal))
        return record
    }

    mutating func reverse(_ request: ReversalRequest) -> ReversalResponse {
        guard let record = records[request.attempt] else {
            tombstones.insert(request.attempt)
            return .nothingToReverse
        }
        guard record.isApproved else { return .nothingToReverse }
        let reversed = ReversalResponse.reversed(hostReference: record.response.hostReference)
        if record.isReversed { return reversed }
        guard request.amount == record.asked || request.amount == record.response.approvedAmount else {
            return .refused(.invalidAmount)
        }
        guard record.refundedMinorUnits == 0 else { return .refused(.invalidTransaction) }
        let amount = record.response.approvedAmount
        records[request.attempt]?.isReversed = true
        if let original = record.original {
            records[original]?.refundedMinorUnits -= amount.minorUnits
        }
        entries.append(
            BookEntry(
                attempt: request.attempt, kind: .reversal, amount: amount,
                signedMinorUnits: record.kind == .refund ? amount.minorUnits : -amount.minorUnits,
                terminal: record.terminal))
        return reversed
    }

    mutating func settle(_ request: SettlementRequest) -> SettlementResponse {
        batches.settle(request, entries: entries)
    }

    func status(of attempt: AttemptID) -> AttemptStatus {
        guard let record = records[attempt] else { return tombstones.contains(attempt) ? .reversed : .notFound }
        if record.isReversed { return .reversed }
        return record.isApproved ? .approved(record.response) : .declined(record.response)
    }

    func total(in currency: Currency) -> Int64 {
        entries.filter { $0.amount.currency == currency }.reduce(0) { $0 + $1.signedMinorUnits }
    }
}
