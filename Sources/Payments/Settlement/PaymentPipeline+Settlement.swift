import Ledger
import Transport

extension PaymentPipeline {
    /// Closes the open batch of each currency, after the host has compared its totals with its own books.
    ///
    /// A batch is numbered and counted on disk before the host is asked, and closed on disk before anybody is told. What
    /// is cut off in between is gone on with by the next call: the same number, the same totals; what has come since
    /// then gets a batch of its own. Of several programs one
    /// settles; the others wait for it, as long as a host may take. Cancelling the task cuts nothing in half.
    ///
    /// - Parameter force: close without what has no end yet, and with a difference.
    /// - Returns: by currency, in the order of the batches; `nothing` alone when there is none.
    public func settle(force: Bool = false) async -> [SettlementOutcome] {
        guard let permit = await settlementPermit() else { return [.underWay] }
        defer { permit.release() }
        let currencies: [UInt16]
        do throws(LedgerError) {
            currencies = try await ledger.batchCurrencies(.payments)
        } catch {
            return [.ledger(error)]
        }
        // In a task of its own: a cancel cannot leave half a batch behind.
        let outcomes = await Task {
            var outcomes: [SettlementOutcome] = []
            for currency in currencies {
                outcomes += await SettlementRun(pipeline: self, currency: currency, isForced: force).execute()
            }
            return outcomes
        }.value
        return outcomes.isEmpty ? [.nothing(leftOut: [])] : outcomes
    }

    private func settlementPermit() async -> LockFile? {
        let deadline = Deadline.after(limits.host, on: clock)
        var pause = Recovery.firstPause
        while true {
            if let permit = owner.directory.work(on: "settlement") { return permit }
            guard !Task.isCancelled, !deadline.hasPassed(on: clock) else { return nil }
            await clock.sleep(until: min(clock.now().advanced(by: pause), deadline.instant))
            pause = min(pause * 2, Recovery.longestPause)
        }
    }
}
