public import Ledger
import Transport

/// How a person ends a transaction that nobody else could.
public enum OperatorDecision: String, Sendable, Hashable, CaseIterable {
    case approved, declined, reversed

    var state: PaymentState {
        switch self {
        case .approved: .approved
        case .declined: .declined
        case .reversed: .reversed
        }
    }
}

/// Why a decision was not taken.
public enum OperatorDecisionError: Error, Sendable, Hashable {
    /// Only a transaction in manual review waits for one.
    case notInReview(TransactionRecord)
    /// The refund cannot be approved: its sale, as it is now, allows none.
    case saleAllowsNoRefund(TransactionRecord)
    case ledger(LedgerError)
}

extension Recovery {
    /// Records the decision of a person. Nothing is sent: the person has settled it with the host. Of several that decide at
    /// the same moment the first one counts.
    public func decide(
        _ id: String, as decision: OperatorDecision
    ) async throws(OperatorDecisionError) -> Resolution {
        let record: TransactionRecord
        do throws(LedgerError) {
            record = try await pipeline.ledger.transaction(id)
        } catch {
            throw .ledger(error)
        }
        guard record.state == PaymentState.manualReview.name else { throw .notInReview(record) }
        do throws(LedgerError) {
            return try await decide(record, decision)
        } catch {
            throw await refusal(record, error)
        }
    }

    /// Why the decision was not written.
    private func refusal(_ record: TransactionRecord, _ error: LedgerError) async -> OperatorDecisionError {
        guard case .conflict = error.code else { return .ledger(error) }
        do throws(LedgerError) {
            let now = try await pipeline.ledger.transaction(record.id)
            // Somebody else has decided since it was looked at.
            guard now.state == PaymentState.manualReview.name else { return .notInReview(now) }
            guard let sale = now.originalID else { return .ledger(error) }
            return .saleAllowsNoRefund(try await pipeline.ledger.transaction(sale))
        } catch let unread {
            return .ledger(unread)
        }
    }

    private func decide(
        _ record: TransactionRecord, _ decision: OperatorDecision
    ) async throws(LedgerError) -> Resolution {
        let deadline = Deadline.after(pipeline.limits.host, on: pipeline.clock)
        let run = RecoveryRun(pipeline: pipeline, found: record.state, deadline: deadline)
        let reason = "operator: \(decision.rawValue)"
        switch (decision, record.kind) {
        case (.approved, .refund):
            return try await run.completeRefund(record, nil, reason: reason)
        case (.approved, .sale):
            var change = TransactionChange()
            change.approvedAt = run.now()
            // What the host has in its books is what was taken.
            let part = TakenAmount(partOf: record)
            if let part { change.take(part) }
            let detail = part.map { "\(reason), \($0.words)" } ?? reason
            let ended = try await run.advance(
                record, to: .approved, info: .none, change: change, detail: detail, plan: .none)
            return Resolution(ended, found: record.state, reason: reason)
        case (.declined, _), (.reversed, _):
            let info = decision == .declined ? StatusInfo.declinedByOperator : .reversed
            return try await run.end(record, as: decision.state, info: info, reason: reason)
        }
    }
}
