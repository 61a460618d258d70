public import Gateways
public import Ledger

/// Notes answers of the host that came when nobody waited for them any more. They decide nothing: a payment that is
/// unknown becomes due for recovery at once, and recovery asks the host, whose books count.
public struct LateAnswerJournal: Sendable {
    private let ledger: Ledger
    private let wallClock: any WallClock

    public init(ledger: Ledger, wallClock: any WallClock) {
        self.ledger = ledger
        self.wallClock = wallClock
    }

    /// An answer to something that the ledger does not know, or that it does not take, is dropped.
    public func note(_ late: LateAnswer) async {
        let now = wallClock.nowMilliseconds()
        let detail = Self.detail(late)
        guard let record = try? await ledger.byAttempt(late.attempt.text) else { return }
        if record.state == PaymentState.unknown.name {
            let remark = Transition.remark(
                record, detail: detail + "; recovery is to ask now",
                recovery: .due(at: now, tries: record.resolveTries))
            // Somebody may have ended it in this moment.
            if (try? await ledger.advance([remark], at: now, durability: .written)) != nil { return }
        }
        _ = try? await ledger.note(record.id, detail: detail, at: now, durability: .written)
    }

    private static func detail(_ late: LateAnswer) -> String {
        let code = late.responseCode
        let said = code.map { $0.isApproved ? "approved (\($0))" : "not approved (\($0))" } ?? "without a response code"
        return "late answer to the \(late.question.rawValue): \(said)"
    }
}
