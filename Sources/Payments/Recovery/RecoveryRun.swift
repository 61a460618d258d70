import Gateways
import Ledger
import Money
import Transport

/// One attempt to end one open transaction, by whoever has the right to work on it.
struct RecoveryRun: Sendable {
    let pipeline: PaymentPipeline
    /// The state in which it was found.
    let found: StateName
    let deadline: Deadline

    func execute(_ record: TransactionRecord) async -> Resolution {
        do throws(LedgerError) {
            switch PaymentState(record.state) {
            case .created, .readerArmed, .cardPresented:
                pipeline.crash(.orphanFound)
                return try await endUnasked(record)
            case .authorizing:
                pipeline.crash(.orphanFound)
                let reason = "the program ended while the issuer was asked"
                let open = try await advance(
                    record, to: .unknown, info: .unknown, detail: reason, plan: .due(at: now(), tries: 0))
                pipeline.crash(.orphanRecorded)
                return try await askHost(open)
            case .unknown:
                return try await askHost(record)
            case .partiallyApproved:
                return try await reverse(record, why: "nobody took the part that was approved")
            default:
                return Resolution(record, found: found, reason: "nothing is to be done")
            }
        } catch {
            return await Resolution(current(record), found: found, reason: error.sentence)
        }
    }

    /// Nobody was asked for money yet.
    private func endUnasked(_ record: TransactionRecord) async throws(LedgerError) -> Resolution {
        let reason = "the program ended before the issuer was asked"
        return try await end(record, as: .failed, info: .interrupted, reason: reason)
    }

    /// What the host has in its books decides. The payer of a sale was told nothing, or "unknown", and got nothing: an
    /// approval is taken back. A refund was promised: an approval stands.
    private func askHost(_ record: TransactionRecord) async throws(LedgerError) -> Resolution {
        if record.kind == .refund, record.returnedAs == .void { return try await finishVoid(record) }
        guard let attempt = Self.attempt(of: record) else {
            return try await giveUp(record, reason: "its attempt has no identity")
        }
        let status: AttemptStatus
        do throws(GatewayError) {
            status = try await pipeline.gateway.status(of: attempt, until: step())
        } catch {
            pipeline.crash(.statusReceived)
            return try await notTold(record, error)
        }
        pipeline.crash(.statusReceived)
        switch status {
        case .declined(let answer):
            let info = StatusInfo.issuerDeclined(
                code: answer.responseCode.text, text: answer.responseCode.text(in: .spanish))
            return try await end(
                record, as: .declined, info: info, answer: answer,
                reason: "the host had declined it (\(answer.responseCode))")
        case .approved(let answer):
            if record.kind == .refund, answer.responseCode.isPartial {
                return try await giveUp(record, reason: "the host had approved a part of a refund")
            }
            if record.kind == .refund { return try await completeRefund(record, answer) }
            return try await reverse(record, why: "the host had approved it", answer: answer)
        case .reversed:
            return try await end(record, as: .reversed, info: .reversed, reason: "the host had reversed it")
        case .notFound:
            // The request may still be on its way: the reversal makes the host refuse it.
            return try await reverse(record, why: "the host does not know it")
        }
    }

    /// A host that cannot be asked about an attempt can still be told to take it back. That is right for every sale; a
    /// refund is taken back only when the host knows no questions at all.
    private func notTold(_ record: TransactionRecord, _ error: GatewayError) async throws(LedgerError) -> Resolution {
        switch (error, record.kind) {
        case (.badRequest, _), (.noAnswer, .sale):
            return try await reverse(record, why: "the host did not say (\(error.code.rawValue))")
        default:
            return try await retryLater(record, error)
        }
    }

    /// The reversal is on disk before it is sent.
    private func reverse(
        _ record: TransactionRecord, why: String, answer: AuthorisationResponse? = nil
    ) async throws(LedgerError) -> Resolution {
        guard let attempt = Self.attempt(of: record), let asked = Self.asked(record) else {
            return try await giveUp(record, reason: "its attempt has no identity")
        }
        var change = TransactionChange()
        change.responseCode = answer?.responseCode.text
        change.authorisation = answer?.authorisationCode
        change.hostReference = answer?.hostReference
        if let approved = answer?.approvedAmount, approved.currency == asked.currency {
            change.approvedAmount = approved.minorUnits
        }
        let owed = try await note(record, change, detail: "reversal \(record.resolveTries + 1): \(why)")
        pipeline.crash(.recoveryReversalRecorded)
        let response: ReversalResponse
        do throws(GatewayError) {
            response = try await pipeline.gateway.reverse(
                ReversalRequest(attempt: attempt, amount: asked, reason: .restart), until: step())
        } catch {
            pipeline.crash(.recoveryReversalAnswered)
            return try await retryLater(owed, error)
        }
        pipeline.crash(.recoveryReversalAnswered)
        switch response {
        case .reversed:
            return try await end(owed, as: .reversed, info: .reversed, reason: "\(why); it is reversed")
        case .nothingToReverse:
            return try await end(
                owed, as: .reversed, info: .reversed, reason: "\(why); no money moved, and none will")
        case .refused(let code):
            return try await giveUp(owed, reason: "the host refuses the reversal (\(code))")
        }
    }

    /// Until when one message may take.
    func step() -> Deadline {
        min(deadline, .after(pipeline.limits.host, on: pipeline.clock))
    }

    func now() -> Int64 { pipeline.wallClock.nowMilliseconds() }

    /// The id of the transaction was its attempt's identity from the first version on.
    static func attempt(of record: TransactionRecord) -> AttemptID? { AttemptID(record.attemptID ?? record.id) }

    /// What the attempt had asked for.
    static func asked(_ record: TransactionRecord) -> Amount? {
        Currency(numeric: record.currency).flatMap { Amount(minorUnits: record.amount + record.tip, currency: $0) }
    }
}
