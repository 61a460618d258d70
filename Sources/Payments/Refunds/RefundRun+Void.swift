import Gateways
import Ledger
import Money
import Transport

/// A refund that the host is told of as a void of the sale.
extension RefundRun {
    /// What the host said to the voids; the refund goes on in another way when it refuses.
    enum VoidEnd {
        case answered(PaymentResult)
        /// The money has not moved. The record has the other way on disk.
        case refundInstead(TransactionRecord)
    }

    /// The intention is on disk. Each refusal is written down before anything else is sent.
    func void(_ record: TransactionRecord) async -> VoidEnd {
        var record = record
        var refusals = 0
        while true {
            let response: ReversalResponse
            do throws(GatewayError) {
                response = try await askForVoid()
                pipeline.crash(.refundAnswerReceived)
            } catch {
                return .answered(await unanswered(error))
            }
            let refusal: String
            switch response {
            case .reversed(let reference):
                let answer = AuthorisationResponse(void: record, of: original, amount, reference)
                return .answered(await approve(answer, record))
            case .nothingToReverse:
                // It may be in the host's earlier batch: a refund that is refused is not told as done.
                refusal = "the host finds nothing to void"
                refusals = ReturnChoice.mostRefusals
            case .refused(let code):
                refusal = "void refused (\(code))"
                refusals += 1
            }
            let choice = ReturnChoice(
                ReturnChoice.Facts(
                    total: original.amount + original.tip, amount: amount.minorUnits, returned: 0, isInBatch: false,
                    soldAt: original.createdAt, now: now(), refusals: refusals), zone: pipeline.zone)
            do throws(LedgerError) {
                record = try await note(record, refusal, choice)
            } catch {
                if let answer = await pipeline.answerOfOthers(id, after: error) { return .answered(answer) }
                // Nothing has moved, and nothing more is sent.
                return .answered(respond(.failed, .storageFailed, host: nil, failure: .ledger(error)))
            }
            guard choice == .void else {
                pipeline.crash(.refundInsteadRecorded)
                return .refundInstead(record)
            }
            pipeline.crash(.refundVoidRefused)
        }
    }

    private func askForVoid() async throws(GatewayError) -> ReversalResponse {
        guard let attempt = RecoveryRun.attempt(of: original) else {
            throw .badRequest(reason: "the sale has no identity that the host knows")
        }
        return try await pipeline.gateway.reverse(
            ReversalRequest(attempt: attempt, amount: amount, reason: .void),
            until: .after(pipeline.limits.host, on: pipeline.clock))
    }

    private func note(
        _ record: TransactionRecord, _ refusal: String, _ choice: ReturnChoice
    ) async throws(LedgerError) -> TransactionRecord {
        var change = TransactionChange()
        change.returnedAs = choice.operation
        let detail = choice == .void ? refusal : refusal + ": refunded instead"
        let step = Transition.remark(record, change: change, detail: detail)
        guard let noted = try await pipeline.ledger.advance([step], at: now(), durability: .flushed).first else {
            return try await pipeline.ledger.transaction(record.id)
        }
        return noted
    }
}

extension AuthorisationResponse {
    /// The host has voided the sale: its approval, and so its authorisation, is what was taken back.
    init(void record: TransactionRecord, of sale: TransactionRecord, _ amount: Amount, _ reference: String) {
        self.init(
            responseCode: .approved, authorisationCode: sale.authorisation, issuerData: [], approvedAmount: amount,
            accountType: nil, bank: nil, hostReference: reference)
    }
}
