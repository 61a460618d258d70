import BERTLV
import EMV
import Gateways
import Ledger
import Money
import Readers
import Transport

/// One sale from "readerArmed" to its outcome. Each method is a stretch of the way; each ends in a state of the ledger.
struct SaleRun: Sendable {
    let pipeline: PaymentPipeline
    let request: SaleRequest
    let id: String
    let reader: OpenedReader
    let progress: @Sendable (PaymentProgress) -> Void

    func execute() async -> PaymentResult {
        // That a card came changes nothing for anybody else: it is written together with what comes of it.
        var unwritten: [Transition] = []
        do throws(ReaderError) {
            var dialogue = makeDialogue()
            defer { dialogue.wipe() }
            if let word = dialogue.invitation { progress(word) }
            let patience = CardPatience(
                cardWait: deadline(pipeline.limits.card), dialogue: pipeline.limits.readerDialogue)
            try await dialogue.waitForCard(patience, progress: progress)
            unwritten = [.step(id, from: [.readerArmed], to: .cardPresented, at: now)]
            pipeline.crash(.cardPresented)
            if let word = dialogue.acknowledgement { progress(word) }
            let stop = try await dialogue.start(
                until: deadline(pipeline.limits.dialogue), allowing: mayApproveAtOnce)
            pipeline.crash(.cryptogramMade)
            switch stop {
            case .finished(let outcome):
                await dialogue.end()
                let result = await endedOffline(outcome, dialogue, after: unwritten)
                progress(.removeCard)
                return result
            case .host:
                // A cancel that came while the card made its cryptogram.
                if Task.isCancelled { throw ReaderError(.cancelled, during: "asking the issuer") }
                // From here on a cancel is only a wish: the issuer may say yes. The rest runs in a task of its own, which
                // begins on this thread.
                let online = dialogue
                return await Task.immediate { [unwritten] in await authorise(online, after: unwritten) }.value
            }
        } catch {
            return await endedByReader(error, after: unwritten)
        }
    }

    // MARK: Before the issuer is asked

    private func makeDialogue() -> any CardDialogue {
        switch reader {
        case .channel(let reader): ChipDialogue(kernel: makeKernel(), reader: reader)
        case .kernel(let reader):
            ReaderDialogue(ReaderPayment(request, at: pipeline.transactionTime(), pipeline.rules), at: reader)
        }
    }

    private func makeKernel() -> ContactKernel {
        let counter = pipeline.random.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % 100_000_000
        return ContactKernel(
            terminal: pipeline.terminal,
            transaction: TransactionData(
                amount: request.total, time: pipeline.transactionTime(),
                unpredictableNumber: pipeline.random.bytes(4), sequenceCounter: counter,
                randomSelectionNumber: selectionNumber, offlineApproval: offlineRule))
    }

    private func endedByReader(_ error: ReaderError, after unwritten: [Transition]) async -> PaymentResult {
        let state: PaymentState =
            switch error.code {
            case .cancelled, .cardRemoved: .cancelled
            case .cardNotInserted: .expired
            default: .failed
            }
        return await end(
            state, StatusInfo(readerFailure: error, isArmed: true), failure: .reader(error), detail: "\(error)",
            after: unwritten)
    }

    /// The card ended the transaction before anybody was asked: no money can have moved.
    private func endedOffline(
        _ outcome: KernelOutcome, _ dialogue: any CardDialogue, after unwritten: [Transition]
    ) async -> PaymentResult {
        let card = CardSummary(dialogue.facts)
        switch outcome {
        case .notAccepted(let reason):
            return await end(
                .failed, .cardNotAccepted, card: card, failure: .notAccepted(reason), detail: reason.rawValue,
                after: unwritten)
        case .cardError(let fault):
            return await end(
                .failed, .cardFault, card: card, failure: .card(fault), detail: "\(fault)", after: unwritten)
        case .cancelledByCardholder:
            return await end(.cancelled, .cancelled, card: card, after: unwritten)
        case .approvedOffline(let afterFailedAttempt) where offlineApprovals(dialogue.facts) != nil:
            return await approveOffline(
                afterFailedAttempt ? .unableToGoOnline : .atOnce, card, dialogue.facts, after: unwritten)
        default:
            let receipt = makeReceipt(dialogue.facts, card, responseCode: "Z1", authorization: "", approved: false)
            return await end(
                .declined, .cardDeclined, card: card, receipt: receipt, responseCode: "Z1", after: unwritten)
        }
    }

    // MARK: The issuer and what follows

    private func authorise(_ dialogue: any CardDialogue, after unwritten: [Transition]) async -> PaymentResult {
        var dialogue = dialogue
        let card = CardSummary(dialogue.facts)
        guard let attempt = AttemptID(id), let message = authorisationRequest(attempt, dialogue.facts) else {
            await dialogue.end()
            let fault = CardFault(stage: .firstGenerateAC, reason: "the card data do not make a request")
            return await end(.failed, .cardFault, card: card, failure: .card(fault), after: unwritten)
        }
        var change = TransactionChange(card)
        change.attemptID = attempt.text
        change.entryMode = message.entryMode.rawValue
        // The intention is on disk before it has an effect.
        if let failure = await recordIntention(change, after: unwritten) {
            await dialogue.end()
            return failure
        }
        pipeline.crash(.intentionRecorded)
        progress(.authorising)
        let result: PaymentResult
        do throws(GatewayError) {
            let response = try await pipeline.gateway.authorise(message, until: deadline(pipeline.limits.host))
            pipeline.crash(.answerReceived)
            result = await answered(response, attempt, card, &dialogue)
        } catch {
            pipeline.crash(.noAnswerReceived)
            result = await unanswered(error, card, &dialogue)
        }
        dialogue.wipe()
        progress(.removeCard)
        return result
    }

    private func answered(
        _ response: AuthorisationResponse, _ attempt: AttemptID, _ card: CardSummary, _ dialogue: inout any CardDialogue
    ) async -> PaymentResult {
        let verdict = IssuerVerdict(response, to: request, pipeline.rules.partialApproval)
        var change = TransactionChange(response)
        // A sum without its currency would be taken for one of this sale's.
        if response.approvedAmount.currency != request.total.currency { change.approvedAmount = nil }
        let recorded = Transition(
            id, from: [PaymentState.authorizing.name], to: PaymentState.authorizing.name, change: change,
            detail: "host \(response.responseCode.text)")
        // What the issuer said is written while the card works on it, so that the card waits for no disk and no other program.
        // It needs no flush: after a power cut the host is asked.
        let record = Errand { await self.record(recorded) }
        var taken: TakenAmount?
        if case .approved(let amount) = verdict { taken = amount }
        let stop: CardStop?
        let cause: ReaderError?
        do throws(ReaderError) {
            stop = try await dialogue.resume(
                .answered(
                    responseCode: response.responseCode.bytes, isApproved: taken != nil,
                    issuerData: response.issuerData),
                until: deadline(pipeline.limits.dialogue), meanwhile: record)
            cause = nil
        } catch {
            stop = nil
            cause = error
        }
        // What was not written goes with what comes of it.
        let unwritten = record.outcome == true ? [] : [recorded]
        pipeline.crash(.cardCompleted)
        await dialogue.end()
        if case .unwanted(let why) = verdict {
            return await undo(attempt, .void, card, &dialogue, answer: change, why: why, after: unwritten)
        }
        guard let taken else {
            let code = response.responseCode
            let receipt = makeReceipt(
                dialogue.facts, card, responseCode: code.text, authorization: "", approved: false)
            return await end(
                .declined, .issuerDeclined(code: code.text, text: code.text(in: .spanish)), card: card, host: response,
                receipt: receipt, responseCode: code.text, after: unwritten)
        }
        guard case .finished(.approved) = stop else {
            let reason: ReversalRequest.Reason = cause == nil ? .cardDeclined : .cardRemoved
            return await undo(
                attempt, reason, card, &dialogue, answer: change,
                why: cause.map { "\($0)" } ?? "the card declined after approval",
                failure: cause.map(PaymentFailure.reader), after: unwritten)
        }
        let receipt = makeReceipt(
            dialogue.facts, card, taken, responseCode: response.responseCode.text,
            authorization: response.authorisationCode ?? "", approved: true)
        return await approve(attempt, card, &dialogue, response, taken, receipt, after: unwritten)
    }

    /// The answer, for others to see. Whether it is written.
    private func record(_ answer: Transition) async -> Bool {
        guard await write([answer], .written) == nil else { return false }
        pipeline.crash(.answerRecorded)
        return true
    }

    /// Nobody answered. The card is ended as "unable to go online"; what the host did is another matter.
    private func unanswered(
        _ error: GatewayError, _ card: CardSummary, _ dialogue: inout any CardDialogue
    ) async -> PaymentResult {
        let (stop, refusal) = await endWithoutHost(error, &dialogue)
        await dialogue.end()
        if case .finished(.approvedOffline) = stop {
            return await approveOffline(.unableToGoOnline, card, dialogue.facts)
        }
        if error.moneyMayHaveMoved {
            return await end(.unknown, .unknown, card: card, failure: .gateway(error), detail: error.code.rawValue)
        }
        let detail = refusal.map { "\(error.code.rawValue); not approved offline: \($0.detail)" } ?? error.code.rawValue
        let failure = refusal.map { PaymentFailure.notApprovedOffline(error, $0) } ?? .gateway(error)
        return await end(.failed, .hostError(error.code), card: card, failure: failure, detail: detail)
    }

    /// - Parameter chipData: of field 55; nil: that of the first cryptogram.
    func authorisationRequest(
        _ attempt: AttemptID, _ facts: CardFacts, chipData: [UInt8]? = nil
    ) -> AuthorisationRequest? {
        guard let account = facts.account, let time = moment(facts) else { return nil }
        let chip = facts.isChip ? chipData ?? ChipData.request { facts.onlineValue(of: $0) } : []
        return AuthorisationRequest(
            attempt: attempt, amount: request.total, tip: request.tip,
            instalments: max(1, request.instalments.rawValue), account: account,
            panSequenceNumber: facts.panSequenceNumber, entryMode: facts.entryMode, chipData: chip,
            terminal: pipeline.terminalIdentity, moment: time)
    }

    /// As the card was told it; a stripe was told nothing.
    private func moment(_ facts: CardFacts) -> LocalDateTime? {
        guard let date = facts.value(of: 0x9A), let time = facts.value(of: 0x9F21) else {
            return LocalDateTime(pipeline.transactionTime())
        }
        return LocalDateTime(date: date, time: time)
    }
}
