import EMV
import Gateways
import Ledger
import Transport

/// What a sale writes to the ledger, and what it answers.
extension SaleRun {
    func deadline(_ duration: Duration) -> Deadline {
        .after(duration, on: pipeline.clock)
    }

    /// Unix milliseconds.
    var now: Int64 { pipeline.wallClock.nowMilliseconds() }

    /// Nil when it is on the disk that the issuer will be asked; else the result of a sale that goes no further.
    func recordIntention(_ change: TransactionChange, after unwritten: [Transition]) async -> PaymentResult? {
        // What was held for an approval without the issuer is free again.
        let intention = Transition.step(
            id, from: [.cardPresented], to: .authorizing, change: change, stored: releasingRoom)
        guard let error = await write(unwritten + [intention], .flushed) else { return nil }
        if let answer = await pipeline.answerOfOthers(id, after: error) { return answer }
        // The disk may have room for a shorter line. If not, a later run finds the sale, and that nobody was asked.
        let failed = self.change(to: .failed, .storageFailed, CardSummary())
        _ = await write(unwritten + [step(to: .failed, failed, detail: nil)], .flushed)
        return respond(.failed, .storageFailed, failure: .ledger(error))
    }

    /// All the steps in one commit. Nil when they are written.
    func write(_ steps: [Transition], _ durability: Durability) async -> LedgerError? {
        do throws(LedgerError) {
            try await pipeline.ledger.perform(steps, at: now, durability: durability)
            return nil
        } catch {
            return error
        }
    }

    /// Writes the final state and answers. If the ledger fails now, the answer still tells the truth about the money.
    ///
    /// - Parameter unwritten: earlier steps, for the same commit.
    func end(
        _ state: PaymentState, _ info: StatusInfo, card: CardSummary = CardSummary(),
        host: AuthorisationResponse? = nil, receipt: Receipt? = nil, responseCode: String? = nil,
        failure: PaymentFailure? = nil, detail: String? = nil, after unwritten: [Transition] = []
    ) async -> PaymentResult {
        var change = change(to: state, info, card)
        change.responseCode = responseCode
        change.receipt = receipt.map(pipeline.stored)
        let error = await write(unwritten + [step(to: state, change, detail: detail)], .flushed)
        pipeline.crash(.outcomeRecorded)
        if let error, let answer = await pipeline.answerOfOthers(id, after: error) { return answer }
        return respond(
            state, info, card: card, host: host, failure: failure ?? error.map(PaymentFailure.ledger),
            hasReceipt: receipt != nil && error == nil)
    }

    /// An approval that the ledger does not take is taken back: what is not written down would be found open by a later
    /// run, and reversed behind everybody's back. A part is taken in the same commit in which it is written down.
    ///
    /// - Parameter unwritten: earlier steps, for the same commit.
    func approve(
        _ attempt: AttemptID, _ card: CardSummary, _ dialogue: inout any CardDialogue, _ host: AuthorisationResponse,
        _ taken: TakenAmount, _ receipt: Receipt, after unwritten: [Transition]
    ) async -> PaymentResult {
        var change = change(to: .approved, .none, card)
        change.approvedAt = now
        change.receipt = pipeline.stored(receipt)
        var steps = [step(to: .approved, change, detail: nil)]
        if taken.isPart {
            change.take(taken)
            steps = [
                .step(id, from: [.authorizing], to: .partiallyApproved, detail: "\(taken.words) approved"),
                .step(
                    id, from: [.partiallyApproved], to: .approved, change: change, detail: "the part is taken",
                    recovery: .none),
            ]
        }
        guard let error = await write(unwritten + steps, .flushed) else {
            pipeline.crash(.outcomeRecorded)
            return respond(.approved, .none, card: card, taken: taken, host: host, failure: nil, hasReceipt: true)
        }
        if let answer = await pipeline.answerOfOthers(id, after: error) { return answer }
        return await undo(
            attempt, .void, card, &dialogue, answer: TransactionChange(host),
            why: "the approval could not be recorded", storage: error, after: unwritten)
    }

    /// From the states that a sale under way can be in. An unknown one waits for the host to be asked at once.
    func step(to state: PaymentState, _ change: TransactionChange, detail: String?) -> Transition {
        .step(
            id, from: [.created, .readerArmed, .cardPresented, .authorizing], to: state, change: change,
            detail: detail, recovery: state == .unknown ? plan : .none, stored: releasingRoom)
    }

    /// Due now.
    var plan: RecoveryPlan { .due(at: now, tries: 0) }

    func change(to state: PaymentState, _ info: StatusInfo, _ card: CardSummary) -> TransactionChange {
        var change = TransactionChange(card)
        change.outcome = state.outcome?.rawValue
        change.statusCode = info.code.nilIfEmpty
        change.statusInfo = info.text.nilIfEmpty
        return change
    }

    /// - Parameter hasReceipt: whether a receipt is in the ledger.
    func respond(
        _ state: PaymentState, _ info: StatusInfo, card: CardSummary = CardSummary(), taken: TakenAmount? = nil,
        host: AuthorisationResponse? = nil, failure: PaymentFailure?, hasReceipt: Bool = false,
        offline: OfflineState? = nil
    ) -> PaymentResult {
        var response = PaymentResponse(outcome: state.outcome ?? .unknown)
        response.fill(from: request)
        response.amount = taken?.amount ?? request.amount
        response.tip = taken?.tip ?? request.tip
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
        return PaymentResult(response, failure: failure, offline: offline)
    }

    func makeReceipt(
        _ facts: CardFacts, _ card: CardSummary, _ part: TakenAmount? = nil, responseCode: String,
        authorization: String, approved: Bool
    ) -> Receipt {
        let taken = part ?? TakenAmount(request)
        return Receipt(
            pipeline, id: id, kind: .sale, isApproved: approved, amount: taken.amount, tip: taken.tip,
            asked: taken.isPart ? taken.asked : nil, instalments: request.instalments,
            reference: request.details.reference, card: card, authorization: authorization,
            responseCode: responseCode, facts: facts)
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
