import EMV
import Gateways
import JSONText
import Ledger
import Transport

/// What a sale writes to the ledger, and what it answers.
extension SaleRun {
    func deadline(_ duration: Duration) -> Deadline {
        .after(duration, on: pipeline.clock)
    }

    /// Nil when it is on disk; else the result of a sale whose ledger failed.
    func advance(
        from: Set<PaymentState>, to: PaymentState, change: TransactionChange = TransactionChange()
    ) async -> PaymentResult? {
        await write([Transition(id, from: Set(from.map(\.name)), to: to.name, change: change)])
            .map { respond(.failed, .storageFailed, failure: .ledger($0)) }
    }

    /// All the steps in one commit. Nil when they are on disk.
    func write(_ steps: [Transition]) async -> LedgerError? {
        do throws(LedgerError) {
            try await pipeline.ledger.advance(steps, at: pipeline.wallClock.nowMilliseconds())
            return nil
        } catch {
            return error
        }
    }

    /// Writes the final state and answers. If the ledger fails now, the answer still tells the truth about the money.
    func end(
        _ state: PaymentState, _ info: StatusInfo, card: CardSummary = CardSummary(),
        host: AuthorisationResponse? = nil, receipt: Receipt? = nil, responseCode: String? = nil,
        failure: PaymentFailure? = nil, detail: String? = nil
    ) async -> PaymentResult {
        var change = change(to: state, info, card)
        change.approvedAt = state == .approved ? pipeline.wallClock.nowMilliseconds() : nil
        change.responseCode = responseCode
        change.receipt = receipt?.jsonValue.compactText
        let error = await write([step(to: state, change, detail: detail)])
        return respond(
            state, info, card: card, host: host, failure: failure ?? error.map(PaymentFailure.ledger),
            hasReceipt: receipt != nil && error == nil)
    }

    /// From wherever `state` can be reached.
    func step(to state: PaymentState, _ change: TransactionChange, detail: String?) -> Transition {
        Transition(id, from: Set(state.predecessors.map(\.name)), to: state.name, change: change, detail: detail)
    }

    func change(to state: PaymentState, _ info: StatusInfo, _ card: CardSummary) -> TransactionChange {
        var change = TransactionChange(card)
        change.outcome = state.outcome?.rawValue
        change.statusCode = info.code.nilIfEmpty
        change.statusInfo = info.text.nilIfEmpty
        return change
    }

    /// - Parameter hasReceipt: whether a receipt is in the ledger.
    func respond(
        _ state: PaymentState, _ info: StatusInfo, card: CardSummary = CardSummary(),
        host: AuthorisationResponse? = nil, failure: PaymentFailure?, hasReceipt: Bool = false
    ) -> PaymentResult {
        var response = PaymentResponse(outcome: state.outcome ?? .unknown)
        response.fill(from: request)
        response.statusInfo = info
        response.transactionID = id
        response.url = hasReceipt ? id : ""
        response.creditCard = card.lastFour
        response.cardType = card.brand
        response.arqc = card.arqc
        response.aid = card.aid
        response.applicationLabel = card.applicationLabel
        response.name = card.cardholderName
        response.authorization = host?.authorisationCode ?? ""
        response.bank = host?.bank ?? ""
        response.accountType = host?.accountType?.rawValue ?? ""
        return PaymentResult(response, failure: failure)
    }

    func makeReceipt(
        _ kernel: ContactKernel, _ card: CardSummary, responseCode: String, authorization: String, approved: Bool
    ) -> Receipt {
        Receipt(
            pipeline, id: id, kind: .sale, isApproved: approved, amount: request.amount, tip: request.tip,
            instalments: request.instalments, reference: request.details.reference, card: card,
            authorization: authorization, responseCode: responseCode, chip: Receipt.Chip(kernel))
    }
}

extension TransactionChange {
    init(_ card: CardSummary) {
        self.init()
        lastFour = card.lastFour.nilIfEmpty
        cardBrand = card.brand.nilIfEmpty
        arqc = card.arqc.nilIfEmpty
        aid = card.aid.nilIfEmpty
        appLabel = card.applicationLabel.nilIfEmpty
        cardholderName = card.cardholderName.nilIfEmpty
    }
}
