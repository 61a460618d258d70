import Gateways
import Ledger
import Money
import Transport

/// One attempt to tell the host of a sale that was approved offline, by whoever has the right to work on it.
struct ForwardRun: Sendable {
    let pipeline: PaymentPipeline
    let deadline: Deadline

    /// Beyond the time for a host an attempt is surely over.
    private static let slack: Int64 = 60_000

    func execute(_ sale: TransactionRecord) async -> Resolution {
        do throws(LedgerError) {
            guard let stored = try await pipeline.ledger.storedPayment(sale.id) else {
                return resolution(sale, "nothing of it is stored")
            }
            switch open(stored, of: sale) {
            case .advice(let advice): return try await forward(advice, stored, sale)
            case .otherKey:
                return resolution(
                    sale, "it is sealed with another key than that of offline.keyFile: put the earlier key back")
            case .changed:
                return resolution(sale, "its stored data were changed, so it cannot be sent: ask the acquirer")
            case nil: return resolution(sale, "there is no key to open it with: set offline.keyFile")
            }
        } catch {
            return resolution(sale, error.sentence)
        }
    }

    /// Nil without a key.
    private func open(_ stored: StoredPayment, of sale: TransactionRecord) -> PaymentSeal.Opened? {
        guard let settings = pipeline.offline else { return nil }
        guard let attempt = RecoveryRun.attempt(of: sale), let amount = RecoveryRun.asked(sale) else { return .changed }
        let opened = settings.seal.open(stored.sealed, of: attempt)
        guard case .advice(let advice) = opened else { return opened }
        return advice.request.amount == amount ? opened : .changed
    }

    /// The attempt is on disk before it is sent.
    private func forward(
        _ advice: OfflineAdvice, _ stored: StoredPayment, _ sale: TransactionRecord
    ) async throws(LedgerError) -> Resolution {
        let limit = min(deadline, .after(pipeline.limits.host, on: pipeline.clock))
        let until = now() &+ pipeline.limits.host.components.seconds &* 1_000 &+ Self.slack
        let begun = try await write(
            .remark(sale, detail: "forward \(stored.tries + 1)", stored: .attempt(until: until)))
        pipeline.crash(.forwardBegun)
        let answer: AuthorisationResponse
        do throws(GatewayError) {
            answer = try await pipeline.gateway.forward(advice, until: limit)
        } catch {
            return try await later(begun, stored, error)
        }
        pipeline.crash(.forwardAnswered)
        let code = answer.responseCode
        guard code.isApproved || code.isPartial else { return try await refused(begun, answer) }
        var change = TransactionChange(answer)
        change.offline = .forwarded
        let reason = "forwarded; the host has booked it (\(code))"
        let done = try await write(.remark(begun, change: change, detail: reason, stored: .remove(unsent: false)))
        pipeline.crash(.forwardRecorded)
        return resolution(done, reason)
    }

    /// The merchant has given the goods and gets no money. The sale stays approved for its payer.
    private func refused(
        _ sale: TransactionRecord, _ answer: AuthorisationResponse
    ) async throws(LedgerError) -> Resolution {
        var change = TransactionChange()
        change.responseCode = answer.responseCode.text
        change.hostReference = answer.hostReference.isEmpty ? nil : answer.hostReference
        change.offline = .refused
        let reason = "the host refuses the offline sale (\(answer.responseCode)): nobody pays for it"
        let done = try await write(.remark(sale, change: change, detail: reason, stored: .remove(unsent: false)))
        pipeline.crash(.forwardRecorded)
        return resolution(done, reason)
    }

    /// There is no last attempt: money would be lost.
    private func later(
        _ sale: TransactionRecord, _ stored: StoredPayment, _ error: GatewayError
    ) async throws(LedgerError) -> Resolution {
        let tries = stored.tries + 1
        let delay = RecoverySchedule.delay(afterTries: tries, random: pipeline.random)
        let detail = "forward \(tries): no answer (\(error.code.rawValue)); again in \(delay) ms"
        let step = StoredPaymentStep.retry(
            at: now() &+ delay, mayHaveLeft: stored.mayHaveLeft || error.moneyMayHaveMoved)
        return resolution(try await write(.remark(sale, detail: detail, stored: step)), detail)
    }

    private func write(_ step: Transition) async throws(LedgerError) -> TransactionRecord {
        let written = try await pipeline.ledger.advance([step], at: now(), durability: .flushed)
        guard let record = written.first else { return try await pipeline.ledger.transaction(step.id) }
        return record
    }

    private func resolution(_ sale: TransactionRecord, _ reason: String) -> Resolution {
        Resolution(sale, found: sale.state, reason: reason)
    }

    private func now() -> Int64 { pipeline.wallClock.nowMilliseconds() }
}
