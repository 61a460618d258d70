import Gateways
import JSONText
import Ledger
import Money
import Transport

/// One refund from "created" to its outcome, and what it does to the sale.
struct RefundRun: Sendable {
    let pipeline: PaymentPipeline
    let request: RefundRequest
    let id: String
    let amount: Amount
    let original: TransactionRecord
    let card: CardSummary

    func execute() async -> PaymentResult {
        guard let attempt = AttemptID(id), let originalAttempt = original.attemptID.flatMap({ AttemptID($0) }),
            let moment = LocalDateTime(pipeline.transactionTime())
        else { return await end(.failed, .notApproved, failure: .rule(.notApproved)) }
        var change = TransactionChange(card)
        change.attemptID = attempt.text
        do throws(LedgerError) {
            try await pipeline.ledger.advance(
                id, from: [PaymentState.created.name], to: PaymentState.authorizing.name, change: change, at: now())
        } catch {
            return respond(.failed, .storageFailed, host: nil, failure: .ledger(error))
        }
        do throws(GatewayError) {
            let message = RefundAuthorisation(
                attempt: attempt, originalAttempt: originalAttempt, amount: amount,
                terminal: pipeline.terminalIdentity, moment: moment)
            let answer = try await pipeline.gateway.refund(
                message, until: .after(pipeline.limits.host, on: pipeline.clock))
            return await answered(answer)
        } catch {
            if error.moneyMayHaveMoved {
                return await end(.unknown, .unknown, failure: .gateway(error))
            }
            return await end(.failed, .hostError(error.code), failure: .gateway(error))
        }
    }

    private func answered(_ answer: AuthorisationResponse) async -> PaymentResult {
        let code = answer.responseCode
        let receipt = Receipt(
            pipeline, id: id, kind: .refund, isApproved: code.isApproved, amount: amount, tip: .zero(amount.currency),
            reference: request.details.reference, originalID: original.id, card: card,
            authorization: answer.authorisationCode ?? "", responseCode: code.text)
        if code.isApproved {
            return await end(.approved, .none, host: answer, receipt: receipt)
        }
        let info = StatusInfo.issuerDeclined(code: code.text, text: code.text(in: .spanish))
        return await end(.declined, info, host: answer, receipt: receipt)
    }

    private func now() -> Int64 { pipeline.wallClock.nowMilliseconds() }

    private func end(
        _ state: PaymentState, _ info: StatusInfo, host: AuthorisationResponse? = nil, receipt: Receipt? = nil,
        failure: PaymentFailure? = nil
    ) async -> PaymentResult {
        var change = TransactionChange()
        change.outcome = state.outcome?.rawValue
        change.approvedAt = state == .approved ? now() : nil
        change.responseCode = host?.responseCode.text
        change.authorisation = host?.authorisationCode
        change.bank = host?.bank ?? original.bank
        change.accountType = host?.accountType?.rawValue ?? original.accountType
        change.statusCode = info.code.nilIfEmpty
        change.statusInfo = info.text.nilIfEmpty
        change.receipt = receipt?.jsonValue.compactText
        do throws(LedgerError) {
            let step = Transition(id, from: Set(state.predecessors.map(\.name)), to: state.name, change: change)
            if state == .approved {
                try await pipeline.ledger.completeRefund(
                    step, approvedStates: Self.approvedStates, saleStates: Self.saleStates,
                    complete: PaymentState.refunded.name, partial: PaymentState.partiallyRefunded.name, at: now())
            } else {
                try await pipeline.ledger.advance([step], at: now())
            }
            return respond(state, info, host: host, failure: failure, hasReceipt: receipt != nil)
        } catch {
            return respond(state, info, host: host, failure: failure ?? .ledger(error))
        }
    }

    /// A refund in one of these states has returned its amount.
    private static let approvedStates = Set([PaymentState.approved, .settled].map(\.name))

    /// The states from which a refund moves its sale on.
    private static let saleStates = Set(
        PaymentState.refunded.predecessors.union(PaymentState.partiallyRefunded.predecessors).map(\.name))

    /// - Parameter hasReceipt: whether a receipt is in the ledger.
    private func respond(
        _ state: PaymentState, _ info: StatusInfo, host: AuthorisationResponse?, failure: PaymentFailure?,
        hasReceipt: Bool = false
    ) -> PaymentResult {
        var response = PaymentResponse(outcome: state.outcome ?? .unknown)
        response.statusInfo = info
        response.amount = amount
        response.tip = .zero(amount.currency)
        response.transactionID = id
        response.url = hasReceipt ? id : ""
        response.identifier = request.details.identifier
        response.reference = request.details.reference
        response.email = request.details.email
        response.phone = request.details.phone
        response.authorization = host?.authorisationCode ?? ""
        response.creditCard = card.lastFour
        response.cardType = card.brand
        response.name = card.cardholderName
        response.bank = host?.bank ?? original.bank ?? ""
        response.accountType = host?.accountType?.rawValue ?? original.accountType ?? ""
        return PaymentResult(response, failure: failure)
    }
}
