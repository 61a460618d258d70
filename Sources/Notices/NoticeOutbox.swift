internal import Crypto
public import Ledger
public import Payments
public import Transport
public import Webhooks

/// Tells a merchant's server about every sale that was approved, and goes on until it has answered: what is owed is in
/// the ledger, so neither a crash nor a dead line loses it. Several programs may work on the same ledger; each takes
/// other notices. A notice is sent at least once, always with the same transaction id.
public struct NoticeOutbox: Sendable {
    /// The name of these notices in the ledger.
    public static let kind = "webhook"

    /// A sale in one of these states was approved. What became of it later is no reason not to tell of it: whether a
    /// sale is told of must not depend on when its receiver was last reached.
    public static let toldStates = Set(
        [PaymentState.approved, .partiallyRefunded, .refunded, .voided, .settled].map(\.name))

    /// So many receivers' answers are waited for at the same time.
    private static let width = 4
    /// Milliseconds for which a notice is this program's. Longer than an attempt can take.
    private static let lease: Int64 = 60_000

    let ledger: Ledger
    let sender: WebhookSender
    let userID: Int64
    /// Unix milliseconds: older sales are not told of.
    let since: Int64
    let clock: any MonotonicClock
    let wallClock: any WallClock

    /// - Parameters:
    ///   - sender: an attempt must end within half a minute.
    ///   - since: unix milliseconds: sales that began before are not told of.
    ///   - userID: the merchant's user, as the receiver knows it.
    public init(
        ledger: Ledger, sender: WebhookSender, since: Int64, userID: Int64, clock: any MonotonicClock,
        wallClock: any WallClock
    ) {
        self.ledger = ledger
        self.sender = sender
        self.since = since
        self.userID = userID
        self.clock = clock
        self.wallClock = wallClock
    }

    /// Which sales are looked for.
    public enum Scope: Sendable, Hashable {
        /// All since the configured time.
        case all
        /// Those of the last seven days: what is looked at does not grow with the ledger. An older sale that is
        /// approved only now, by a person, waits for `all`.
        case recent

        private static let days: Int64 = 7 * 86_400_000

        func start(_ since: Int64, now: Int64) -> Int64 {
            self == .all ? since : max(since, now.subtractingReportingOverflow(Self.days).partialValue)
        }
    }

    /// Sends what is due now, and what has become due meanwhile, until nothing is. It ends early when the task is
    /// cancelled or `deadline` has passed; an attempt that is cancelled under way counts as one without an answer,
    /// since the receiver may have it.
    ///
    /// - Parameter each: told of each attempt as it ends, on any task.
    /// - Returns: the attempts.
    /// - Throws: `LedgerError`; what was sent then is sent again later.
    @discardableResult
    public func send(
        _ scope: Scope, until deadline: Deadline, each: @escaping @Sendable (NoticeAttempt) -> Void = { _ in }
    ) async throws(LedgerError) -> [NoticeAttempt] {
        var attempts: [NoticeAttempt] = []
        while !Task.isCancelled, !deadline.hasPassed(on: clock) {
            let now = wallClock.nowMilliseconds()
            let claimed = try await ledger.claimDeliveries(
                Self.kind, of: Self.toldStates, since: scope.start(since, now: now), at: now,
                until: now &+ Self.lease, horizon: now &+ Delivery.longestWait, limit: Self.width, durability: .written)
            guard !claimed.isEmpty else { break }
            let made = await withTaskGroup(of: NoticeAttempt?.self) { group in
                for delivery in claimed { group.addTask { await attempt(delivery) } }
                var made: [NoticeAttempt] = []
                for await case let attempt? in group {
                    each(attempt)
                    made.append(attempt)
                }
                return made
            }
            attempts += made
            // What could not be written down must not be sent round and round.
            if let error = made.lazy.compactMap(\.ledgerError).first { throw error }
        }
        return attempts
    }

    /// Sends one notice now, whatever its plan says; a dead one begins again.
    ///
    /// - Throws: as `Ledger.claimDelivery`.
    public func send(_ id: String) async throws(LedgerError) -> NoticeAttempt {
        let now = wallClock.nowMilliseconds()
        let claimed = try await ledger.claimDelivery(
            Self.kind, of: id, states: Self.toldStates, at: now, until: now &+ Self.lease, durability: .written)
        return await attempt(claimed) ?? NoticeAttempt(claimed, problem: "it was cancelled before it was sent")
    }

    /// Unix milliseconds; nil when nothing is planned.
    public func nextAttempt() async throws(LedgerError) -> Int64? { try await ledger.nextDelivery(Self.kind) }

    /// The sales that are owed a notice and have none yet.
    public func untold() async throws(LedgerError) -> [String] {
        try await ledger.untoldSales(Self.kind, of: Self.toldStates, since: since)
    }

    /// Nil when the task was cancelled before anything was sent: the notice is given back.
    private func attempt(_ claimed: DeliveryRecord) async -> NoticeAttempt? {
        guard !Task.isCancelled else {
            var returned = claimed
            returned.dueAt = wallClock.nowMilliseconds()
            // Without this its claim runs out.
            _ = try? await ledger.record(returned, at: wallClock.nowMilliseconds(), durability: .written)
            return nil
        }
        let record: TransactionRecord
        do throws(LedgerError) {
            record = try await ledger.transaction(claimed.transactionID)
        } catch {
            return NoticeAttempt(claimed, problem: error.sentence, ledgerError: error)
        }
        var delivery = Delivery(
            transactionID: claimed.transactionID, tries: claimed.tries, at: wallClock.nowMilliseconds())
        let problem: String?
        if let notice = ApprovedTransaction(record, userID: userID) {
            do throws(CryptoError) {
                let answer = try await sender.send(notice, at: wallClock.nowMilliseconds())
                delivery.attempted(isAccepted: answer.isAccepted, at: wallClock.nowMilliseconds())
                problem = answer.isAccepted ? nil : "\(answer)"
            } catch {
                delivery.attempted(isAccepted: false, at: wallClock.nowMilliseconds())
                problem = "it cannot be signed"
            }
        } else {
            delivery.attempted(isAccepted: false, at: wallClock.nowMilliseconds())
            problem = "the sale's currency is unknown"
        }
        return await written(claimed, delivery, problem)
    }

    private func written(
        _ claimed: DeliveryRecord, _ delivery: Delivery, _ problem: String?
    ) async -> NoticeAttempt {
        var after = claimed
        after.state = StateName(rawValue: delivery.state.rawValue)
        after.tries = delivery.tries
        after.dueAt = delivery.dueAt
        do throws(LedgerError) {
            // A power cut can take it back: the notice is sent again then.
            try await ledger.record(
                after, at: wallClock.nowMilliseconds(), remark: Self.remark(delivery, problem), durability: .written)
            return NoticeAttempt(after, problem: problem)
        } catch {
            return NoticeAttempt(claimed, problem: error.sentence, ledgerError: error)
        }
    }

    private static func remark(_ delivery: Delivery, _ problem: String?) -> String {
        switch delivery.state {
        case .delivered: "webhook delivered, attempt \(delivery.tries)"
        case .pending: "webhook attempt \(delivery.tries): \(problem ?? "")"
        case .dead: "webhook given up after \(delivery.tries) attempts: \(problem ?? "")"
        }
    }
}
