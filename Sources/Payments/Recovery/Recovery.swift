public import Ledger
public import Transport

/// Finds out the end of payments that were left without one: of programs that were ended in the middle, and of hosts that
/// did not answer. The host is asked about the attempt; what must not stand is reversed; what cannot be settled goes to a
/// person. `docs/payments.md` has the rules.
public struct Recovery: Sendable {
    let pipeline: PaymentPipeline

    /// So many hosts' answers are waited for at the same time.
    private static let width = 4
    static let firstPause = Duration.milliseconds(50)
    static let longestPause = Duration.seconds(1)

    public init(_ pipeline: PaymentPipeline) {
        self.pipeline = pipeline
    }

    public enum Selection: Sendable, Hashable {
        /// Those whose next attempt is due by the plan in the ledger.
        case due
        /// All that are open, whatever the plan says.
        case all
    }

    /// The states that a payment must not be left in.
    public static let openStates = Set(
        [PaymentState.created, .readerArmed, .cardPresented, .authorizing, .unknown, .partiallyApproved].map(\.name))

    /// Makes an attempt for each open transaction. Of `all`, those that another program resolves at the moment are waited
    /// for, as long as a host may take. It ends early, and leaves the rest, when the task is cancelled or
    /// `deadline` has passed.
    ///
    /// - Parameter each: told of each attempt as it ends, on any task.
    /// - Throws: `LedgerError` when the open transactions cannot be listed. What happens to one of them is in its
    ///   resolution.
    @discardableResult
    public func run(
        _ selection: Selection, until deadline: Deadline,
        each: @escaping @Sendable (Resolution) -> Void = { _ in }
    ) async throws(LedgerError) -> [Resolution] {
        let now = pipeline.wallClock.nowMilliseconds()
        let owed = try await Self.owedVoids(in: pipeline.ledger)
        let stored = try await storedSales(selection, now: now)
        let open =
            try await (pipeline.ledger.unresolved(states: Self.openStates) + owed)
            .filter { selection == .all || RecoverySchedule.isDue($0.resolveAt, now: now) } + stored
        return await withTaskGroup(of: Resolution.self) { group in
            var resolutions: [Resolution] = []
            var waiting = open[...]
            let patience = selection == .all ? pipeline.limits.host : .zero
            for _ in 0..<Self.width {
                if let record = waiting.popFirst() {
                    group.addTask { await attempt(record, until: deadline, patience: patience) }
                }
            }
            while let resolution = await group.next() {
                each(resolution)
                resolutions.append(resolution)
                guard !Task.isCancelled, !deadline.hasPassed(on: pipeline.clock) else { continue }
                if let record = waiting.popFirst() {
                    group.addTask { await attempt(record, until: deadline, patience: patience) }
                }
            }
            return resolutions
        }
    }

    /// Waits until a transaction has an end: for the program that is at work on it, and when there is none, for an
    /// attempt of our own. It may still be open when `deadline` has passed, the task is cancelled, or the host is silent.
    ///
    /// - Parameter forwarding: an attempt is made to tell the host of a sale that was approved offline, too.
    /// - Throws: `LedgerError`: `notFound`, and as all questions.
    public func settle(
        _ id: String, until deadline: Deadline, forwarding: Bool = false
    ) async throws(LedgerError) -> Resolution {
        var pause = Self.firstPause
        while true {
            let record = try await pipeline.ledger.transaction(id)
            guard Self.isOpen(record) || (forwarding && Self.isStored(record)) else {
                return Resolution(record, found: record.state, reason: "it had an end already")
            }
            let resolution = await attempt(record, until: deadline)
            guard resolution.isUnderWay, !Task.isCancelled, !deadline.hasPassed(on: pipeline.clock) else {
                return resolution
            }
            await pipeline.clock.sleep(
                until: min(pipeline.clock.now().advanced(by: pause), deadline.instant))
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Moves one open transaction on, if nobody else is at it.
    ///
    /// - Parameter patience: how long to wait for another program that resolves it.
    func attempt(
        _ listed: TransactionRecord, until deadline: Deadline, patience: Duration = .zero
    ) async -> Resolution {
        guard isOrphaned(listed) else {
            return Resolution(listed, found: listed.state, reason: "its program is at work on it", isUnderWay: true)
        }
        guard let permit = await permit(listed.id, until: min(deadline, .after(patience, on: pipeline.clock))) else {
            return Resolution(listed, found: listed.state, reason: "another program resolves it", isUnderWay: true)
        }
        defer { permit.release() }
        do throws(LedgerError) {
            // Somebody may have ended it before the lock was ours.
            let record = try await pipeline.ledger.transaction(listed.id)
            guard Self.isOpen(record) || Self.isStored(record) else {
                return Resolution(record, found: listed.state, reason: "it had an end already")
            }
            if Self.owesVoid(record) { return await void(record, until: deadline) }
            if Self.isStored(record) { return await ForwardRun(pipeline: pipeline, deadline: deadline).execute(record) }
            return await RecoveryRun(pipeline: pipeline, found: record.state, deadline: deadline).execute(record)
        } catch {
            return Resolution(listed, found: listed.state, reason: error.sentence)
        }
    }

    private func permit(_ id: String, until deadline: Deadline) async -> LockFile? {
        var pause = Self.firstPause
        while true {
            if let permit = pipeline.owner.directory.work(on: id) { return permit }
            guard !Task.isCancelled, !deadline.hasPassed(on: pipeline.clock) else { return nil }
            await pipeline.clock.sleep(until: min(pipeline.clock.now().advanced(by: pause), deadline.instant))
            pause = min(pause * 2, Self.longestPause)
        }
    }

    private func isOrphaned(_ record: TransactionRecord) -> Bool {
        guard let owner = Self.programInCharge(of: record) else { return true }
        if owner == pipeline.owner.id { return !pipeline.underWay.contains(record.id) }
        return !pipeline.owner.directory.isRunning(owner)
    }
}
