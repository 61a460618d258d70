import Gateways
public import Ledger
import Transport

extension Recovery {
    /// An approved sale has a plan of recovery only while somebody wants it voided.
    static func owesVoid(_ record: TransactionRecord) -> Bool {
        record.kind == .sale && record.state == PaymentState.approved.name && record.resolveAt != nil
    }

    /// Whether something is still to be found out or done.
    static func isOpen(_ record: TransactionRecord) -> Bool {
        openStates.contains(record.state) || owesVoid(record)
    }

    /// The same, or a person has to find out what became of it.
    static func isUnresolved(_ record: TransactionRecord) -> Bool {
        isOpen(record) || record.state == PaymentState.manualReview.name
    }

    /// Everything that has no end yet: open payments, owed voids, and what waits for a person; in no order.
    public func unresolved() async throws(LedgerError) -> [TransactionRecord] {
        try await Self.unresolved(in: pipeline.ledger)
    }

    /// What is left when this program goes: without what others that run have in hand.
    public func leftOpen() async throws(LedgerError) -> [TransactionRecord] {
        try await OpenPayments(in: pipeline.ledger, pipeline.owner.directory).open
    }

    static func unresolved(in ledger: Ledger) async throws(LedgerError) -> [TransactionRecord] {
        try await ledger.unresolved(states: openStates.union([PaymentState.manualReview.name])) + owedVoids(in: ledger)
    }

    /// The approved sales that are to be voided.
    static func owedVoids(in ledger: Ledger) async throws(LedgerError) -> [TransactionRecord] {
        try await ledger.due(at: .max, limit: Ledger.largestAnswer).filter(owesVoid)
    }

    /// Goes on with a void that was cut off.
    func void(_ record: TransactionRecord, until deadline: Deadline) async -> Resolution {
        let run = VoidRun(pipeline: pipeline)
        let limit = min(deadline, .after(pipeline.limits.host, on: pipeline.clock))
        switch await run.send(record, isFirst: false, until: limit) {
        case .voided(let now), .alreadyVoided(let now):
            return Resolution(now, found: record.state, reason: "it was to be voided; it is voided")
        case .refused(let refusal, let now):
            return Resolution(now ?? record, found: record.state, reason: "it is not voided (\(refusal.code.rawValue))")
        case .unknown(let error, let now):
            return Resolution(
                now, found: record.state, reason: "it is to be voided; no answer (\(error.code.rawValue))")
        case .underWay(let now):
            return Resolution(now, found: record.state, reason: "another program voids it", isUnderWay: true)
        case .ledger(let error, let now):
            return Resolution(now ?? record, found: record.state, reason: error.sentence)
        }
    }
}
