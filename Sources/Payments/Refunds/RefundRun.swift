import Gateways
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
        change.bank = original.bank
        change.accountType = original.accountType
        let record: TransactionRecord
        do throws(LedgerError) {
            // The intention is on disk before it has an effect.
            let step = Transition.step(id, from: [.created], to: .authorizing, change: change)
            guard let begun = try await pipeline.ledger.advance([step], at: now(), durability: .flushed).first else {
                return respond(.failed, .storageFailed, host: nil, failure: nil)
            }
            record = begun
        } catch {
            if let answer = await pipeline.answerOfOthers(id, after: error) { return answer }
            let failed = Transition.step(
                id, from: [.created], to: .failed, change: self.change(to: .failed, .storageFailed), recovery: .none)
            _ = await write(failed)
            return respond(.failed, .storageFailed, host: nil, failure: .ledger(error))
        }
        pipeline.crash(.refundIntentionRecorded)
        guard record.returnedAs == .void else { return await refund(record, attempt, originalAttempt, moment) }
        switch await void(record) {
        case .answered(let result): return result
        case .refundInstead(let record): return await refund(record, attempt, originalAttempt, moment)
        }
    }

    private func refund(
        _ record: TransactionRecord, _ attempt: AttemptID, _ originalAttempt: AttemptID, _ moment: LocalDateTime
    ) async -> PaymentResult {
        do throws(GatewayError) {
            let message = RefundAuthorisation(
                attempt: attempt, originalAttempt: originalAttempt, amount: amount,
                terminal: pipeline.terminalIdentity, moment: moment)
            let answer = try await pipeline.gateway.refund(
                message, until: .after(pipeline.limits.host, on: pipeline.clock))
            pipeline.crash(.refundAnswerReceived)
            return await answered(answer, record)
        } catch {
            return await unanswered(error)
        }
    }

    func unanswered(_ error: GatewayError) async -> PaymentResult {
        guard error.moneyMayHaveMoved else {
            return await end(.failed, .hostError(error.code), failure: .gateway(error))
        }
        return await end(.unknown, .unknown, failure: .gateway(error))
    }

    private func answered(_ answer: AuthorisationResponse, _ record: TransactionRecord) async -> PaymentResult {
        let code = answer.responseCode
        // Nobody asked for a part of a refund: what the host has booked is to be found out.
        if code.isPartial {
            let contradiction = GatewayError.noAnswer(reason: "a part of a refund was approved")
            return await end(.unknown, .unknown, failure: .gateway(contradiction))
        }
        guard !code.isApproved else { return await approve(answer, record) }
        let info = StatusInfo.issuerDeclined(code: code.text, text: code.text(in: .spanish))
        let receipt = Receipt(refund: record, of: original, isApproved: false, answer, by: pipeline)
        return await end(.declined, info, host: answer, receipt: receipt)
    }

    func approve(_ answer: AuthorisationResponse, _ record: TransactionRecord) async -> PaymentResult {
        do throws(LedgerError) {
            try await pipeline.ledger.completeRefund(
                Self.approval(of: record, original, answer, by: pipeline, detail: nil),
                approvedStates: Self.approvedStates, saleStates: Self.saleStates,
                complete: PaymentState.refunded.name, partial: PaymentState.partiallyRefunded.name, at: now())
            pipeline.crash(.refundOutcomeRecorded)
            return respond(.approved, .none, host: answer, failure: nil, hasReceipt: true, as: record.returnedAs)
        } catch {
            if let answer = await pipeline.answerOfOthers(id, after: error) { return answer }
            // The host has done it, and a later run will find that out.
            return respond(.approved, .none, host: answer, failure: .ledger(error), as: record.returnedAs)
        }
    }

    /// The step that ends a refund as approved, for the run itself and for whoever finds it open.
    ///
    /// - Parameter answer: nil when a person knows of it.
    static func approval(
        of record: TransactionRecord, _ sale: TransactionRecord, _ answer: AuthorisationResponse?,
        by pipeline: PaymentPipeline, detail: String?
    ) -> Transition {
        var change = answer.map { TransactionChange($0) } ?? TransactionChange()
        change.outcome = PaymentState.approved.outcome?.rawValue
        change.approvedAt = pipeline.wallClock.nowMilliseconds()
        // What is written already can be replaced, not erased.
        change.statusCode = record.statusCode.map { _ in "" }
        change.statusInfo = record.statusInfo.map { _ in "" }
        change.receipt = Receipt(refund: record, of: sale, isApproved: true, answer, by: pipeline).map(pipeline.stored)
        return .step(record, to: .approved, change: change, detail: detail, recovery: .none)
    }

    func now() -> Int64 { pipeline.wallClock.nowMilliseconds() }

    private func change(to state: PaymentState, _ info: StatusInfo) -> TransactionChange {
        var change = TransactionChange()
        change.outcome = state.outcome?.rawValue
        change.statusCode = info.code.nilIfEmpty
        change.statusInfo = info.text.nilIfEmpty
        return change
    }

    private func end(
        _ state: PaymentState, _ info: StatusInfo, host: AuthorisationResponse? = nil, receipt: Receipt? = nil,
        failure: PaymentFailure? = nil
    ) async -> PaymentResult {
        var change = change(to: state, info)
        change.responseCode = host?.responseCode.text
        change.bank = host?.bank
        change.accountType = host?.accountType?.rawValue
        change.receipt = receipt.map(pipeline.stored)
        let step = Transition.step(
            id, from: [.created, .authorizing], to: state, change: change,
            recovery: state == .unknown ? .due(at: now(), tries: 0) : .none)
        let error = await write(step)
        pipeline.crash(.refundOutcomeRecorded)
        if let error, let answer = await pipeline.answerOfOthers(id, after: error) { return answer }
        return respond(
            state, info, host: host, failure: failure ?? error.map(PaymentFailure.ledger),
            hasReceipt: receipt != nil && error == nil)
    }

    private func write(_ step: Transition) async -> LedgerError? {
        do throws(LedgerError) {
            try await pipeline.ledger.perform([step], at: now())
            return nil
        } catch {
            return error
        }
    }

    /// A refund in one of these states has returned its amount.
    static let approvedStates = Set([PaymentState.approved, .settled].map(\.name))

    /// The states from which a refund moves its sale on.
    static let saleStates = Set(
        PaymentState.refunded.predecessors.union(PaymentState.partiallyRefunded.predecessors).map(\.name))

    /// - Parameters:
    ///   - hasReceipt: whether a receipt is in the ledger.
    ///   - operation: of an approval.
    func respond(
        _ state: PaymentState, _ info: StatusInfo, host: AuthorisationResponse?, failure: PaymentFailure?,
        hasReceipt: Bool = false, as operation: ReturnOperation? = nil
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
        return PaymentResult(response, failure: failure, returnedAs: operation)
    }
}

extension Receipt {
    /// Of a refund, from its row. Nil when the row's currency is not known here.
    fileprivate init?(
        refund record: TransactionRecord, of sale: TransactionRecord, isApproved: Bool,
        _ answer: AuthorisationResponse?, by pipeline: PaymentPipeline
    ) {
        guard let currency = Currency(numeric: record.currency),
            let amount = Amount(minorUnits: record.amount, currency: currency)
        else { return nil }
        var card = CardSummary()
        card.lastFour = record.lastFour ?? ""
        card.brand = record.cardBrand ?? ""
        self.init(
            pipeline, id: record.id, kind: .refund, isApproved: isApproved, amount: amount, tip: .zero(currency),
            reference: record.reference ?? "", originalID: record.originalID ?? "", card: card,
            authorization: answer?.authorisationCode ?? "", responseCode: answer?.responseCode.text ?? "")
        // What was no payment is no repayment.
        if let paid = sale.receipt.flatMap(Receipt.init(json:)), paid.isTest { isTest = true }
    }
}
