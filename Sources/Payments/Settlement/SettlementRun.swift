import Gateways
import Ledger
import Money
import Transport

/// The settlement of one currency, by whoever holds the lock on settling.
struct SettlementRun: Sendable {
    let pipeline: PaymentPipeline
    let currency: UInt16
    let isForced: Bool

    /// Payments go on while both sides are compared, and the host may have booked one that the ledger has not, or the
    /// other way round. So often both are counted again before that is given up.
    private static let rounds = 6

    /// So many numbers that the host has used before are passed over in one run; the next one goes on.
    private static let mostPassedOver = 100

    /// What both sides said in one round. Only the same twice is a difference.
    private struct Comparison: Hashable {
        let ours: [BatchTotal]
        let host: BatchSums?
    }

    /// Goes on with a batch that was not ended, and closes what has come since in another one.
    func execute() async -> [SettlementOutcome] {
        let unended: Bool
        do throws(LedgerError) {
            unended = try await pipeline.ledger.batches(states: [.closing]).contains { $0.currency == currency }
        } catch {
            return [.ledger(error)]
        }
        let first = await settleOnce()
        guard unended, case .closed = first else { return [first] }
        let second = await settleOnce()
        // The first one has told what was left out.
        if case .nothing = second { return [first] }
        return [first, second]
    }

    private func settleOnce() async -> SettlementOutcome {
        do throws(LedgerError) {
            return try await settle()
        } catch {
            return .ledger(error)
        }
    }

    private func settle() async throws(LedgerError) -> SettlementOutcome {
        var earlier: Comparison?
        var last: BatchRecord?
        var (round, passedOver) = (0, 0)
        while round < Self.rounds {
            let batch: BatchRecord
            switch try await pipeline.ledger.openBatch(
                currency: currency, rule: .payments, isForced: isForced, at: now())
            {
            case .opened(let opened), .resumed(let opened): batch = opened
            case .blocked(let records): return .blocked(unresolved(records))
            case .nothing: return .nothing(leftOut: try await leftOut())
            }
            pipeline.crash(.batchOpened)
            let answer: SettlementResponse
            do throws(GatewayError) {
                answer = try await ask(batch)
            } catch {
                return .noAnswer(batch, error)
            }
            pipeline.crash(.batchAnswered)
            if case .differs(let totals, isClosed: true) = answer, !batch.isForced, passedOver < Self.mostPassedOver {
                // Nobody here has told the host to close it with other totals: it is another batch of the same number.
                guard try await evensOut(batch, totals.map { BatchSums($0) }) else {
                    try await pipeline.ledger.passOverBatch(batch.number, at: now())
                    passedOver += 1
                    continue
                }
            }
            guard case .differs(let totals, isClosed: false) = answer else { return try await close(batch, answer) }
            round += 1
            let host = totals.map { BatchSums($0) }
            let comparison = Comparison(ours: batch.totals, host: host)
            if comparison == earlier {
                let isEven = try await evensOut(batch, host)
                if isForced || isEven { return try await closeAnyway(batch) }
                return .differs(try await release(batch, host))
            }
            earlier = comparison
            last = try await release(batch, host)
        }
        guard let last else { return .nothing(leftOut: try await leftOut()) }
        return .moving(last)
    }

    private func ask(_ batch: BatchRecord, closesAnyway: Bool = false) async throws(GatewayError) -> SettlementResponse
    {
        guard let totals = BatchTotals(batch) else {
            throw .badRequest(reason: "the currency \(batch.currency) is not known here")
        }
        let request = SettlementRequest(
            batch: batch.number, terminal: pipeline.terminalIdentity, totals: totals, closesAnyway: closesAnyway)
        return try await pipeline.gateway.settle(request, until: .after(pipeline.limits.host, on: pipeline.clock))
    }

    /// Both sides stay different: the host closes its batch as well, so that the next one begins afresh.
    private func closeAnyway(_ batch: BatchRecord) async throws(LedgerError) -> SettlementOutcome {
        let answer: SettlementResponse
        do throws(GatewayError) {
            answer = try await ask(batch, closesAnyway: true)
        } catch {
            return .noAnswer(batch, error)
        }
        pipeline.crash(.batchForceAnswered)
        return try await close(batch, answer)
    }

    private func close(_ batch: BatchRecord, _ answer: SettlementResponse) async throws(LedgerError)
        -> SettlementOutcome
    {
        let (verdict, host): (BatchRecord.HostAnswer, BatchSums?)
        switch answer {
        case .agreed(let totals): (verdict, host) = (.agreed, totals.map { BatchSums($0) })
        case .notKept: (verdict, host) = (.notKept, nil)
        case .differs(let totals, _):
            host = totals.map { BatchSums($0) }
            verdict = try await evensOut(batch, host) ? .evened : .differs
        }
        let closed = try await pipeline.ledger.closeBatch(
            batch.number, moving: Set(PaymentState.settled.predecessors.map(\.name)), to: PaymentState.settled.name,
            hostAnswer: verdict, hostTotals: host, at: now())
        pipeline.crash(.batchClosed)
        return .closed(closed, leftOut: try await leftOut())
    }

    private func release(_ batch: BatchRecord, _ host: BatchSums?) async throws(LedgerError) -> BatchRecord {
        let released = try await pipeline.ledger.releaseBatch(batch.number, hostTotals: host)
        pipeline.crash(.batchReleased)
        return released
    }

    /// Whether the difference is what earlier batches, closed by force, differed the other way.
    private func evensOut(_ batch: BatchRecord, _ host: BatchSums?) async throws(LedgerError) -> Bool {
        guard let host else { return false }
        let earlier = try await pipeline.ledger.batchDifference(currency: currency)
        return earlier != BatchSums() && batch.sums - host == earlier
    }

    /// Without force nothing was in the way, and what has begun since then is not left out of anything.
    private func leftOut() async throws(LedgerError) -> [UnresolvedPayment] {
        guard isForced else { return [] }
        return unresolved(try await pipeline.ledger.obstacles(to: .payments, currency: currency))
    }

    private func unresolved(_ records: [TransactionRecord]) -> [UnresolvedPayment] {
        records.map { UnresolvedPayment($0, in: pipeline.owner.directory) }
    }

    private func now() -> Int64 { pipeline.wallClock.nowMilliseconds() }
}
