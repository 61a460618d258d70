import Gateways
import Ledger
import Money

/// A refund of which the host was told as a void of the sale, or was about to be told.
extension RecoveryRun {
    /// Nobody can make a host refuse a void that is still on its way: it is asked for again, until the host answers.
    func finishVoid(_ record: TransactionRecord) async throws(LedgerError) -> Resolution {
        let sale = try await pipeline.ledger.transaction(record.originalID ?? "")
        guard let attempt = Self.attempt(of: sale), let amount = Self.asked(record) else {
            return try await giveUp(record, reason: "its sale has no identity")
        }
        let owed = try await note(
            record, TransactionChange(), detail: "void \(record.resolveTries + 1): the refund is a void of its sale")
        pipeline.crash(.recoveryReversalRecorded)
        let response: ReversalResponse
        do throws(GatewayError) {
            response = try await pipeline.gateway.reverse(
                ReversalRequest(attempt: attempt, amount: amount, reason: .void), until: step())
        } catch {
            pipeline.crash(.recoveryReversalAnswered)
            return try await retryLater(owed, error)
        }
        pipeline.crash(.recoveryReversalAnswered)
        switch response {
        case .reversed(let reference):
            let answer = AuthorisationResponse(void: owed, of: sale, amount, reference)
            return try await completeRefund(owed, answer, reason: "the host has voided the sale")
        case .refused(let code):
            return try await askAboutSale(owed, sale, attempt, amount, refusal: code, "refuses the void (\(code))")
        case .nothingToReverse:
            return try await askAboutSale(
                owed, sale, attempt, amount, refusal: .invalidTransaction, "finds nothing to void")
        }
    }

    /// An earlier void that was not answered may be why the host takes no other one.
    private func askAboutSale(
        _ record: TransactionRecord, _ sale: TransactionRecord, _ attempt: AttemptID, _ amount: Amount,
        refusal: ResponseCode, _ finding: String
    ) async throws(LedgerError) -> Resolution {
        let status: AttemptStatus
        do throws(GatewayError) {
            status = try await pipeline.gateway.status(of: attempt, until: step())
        } catch {
            pipeline.crash(.statusReceived)
            guard pipeline.gateway.answersInquiries else {
                return try await giveUp(
                    record, reason: "the host \(finding), and cannot be asked: ask the acquirer")
            }
            return try await retryLater(record, error)
        }
        pipeline.crash(.statusReceived)
        switch status {
        case .reversed:
            let answer = AuthorisationResponse(void: record, of: sale, amount, "")
            return try await completeRefund(record, answer, reason: "the host has voided the sale")
        case .approved: return try await endRefused(record, refusal)
        case .declined, .notFound:
            return try await giveUp(record, reason: "the host does not know the sale: ask the acquirer")
        }
    }

    /// The sale stands, and can be refunded by a new request.
    private func endRefused(_ record: TransactionRecord, _ code: ResponseCode) async throws(LedgerError) -> Resolution {
        try await end(
            record, as: .declined, info: .issuerDeclined(code: code.text, text: code.text(in: .spanish)),
            reason: "the host refuses the void (\(code)); nothing was returned")
    }
}
