import BERTLV
import EMV
import Gateways
import Ledger
import Readers

extension SaleRun {
    /// The issuer said yes, but the payment did not come about: it is unknown until the reversal is confirmed.
    ///
    /// What the ledger does not take now, it is asked to take once more together with what comes of the reversal: the
    /// disk may have room again. The first failure of the ledger is what is reported, whatever follows from it.
    ///
    /// - Parameters:
    ///   - answer: what the issuer said, in case that it is not in the ledger yet.
    ///   - why: for the journal.
    ///   - failure: the cause, when it is not the ledger.
    ///   - storage: the cause, when it is the ledger.
    ///   - unwritten: earlier steps, for the same commit.
    func undo(
        _ attempt: AttemptID, _ reason: ReversalRequest.Reason, _ card: CardSummary, _ dialogue: inout any CardDialogue,
        answer: TransactionChange, why: String, failure: PaymentFailure? = nil, storage: LedgerError? = nil,
        after unwritten: [Transition] = []
    ) async -> PaymentResult {
        await dialogue.end()
        // Nobody else need send the same.
        let permit = pipeline.owner.directory.work(on: id)
        defer { permit?.release() }
        var answer = answer
        answer.outcome = PaymentState.unknown.outcome?.rawValue
        answer.statusCode = StatusInfo.unknown.code
        answer.statusInfo = StatusInfo.unknown.text
        let owed = Transition.step(
            id, from: [.authorizing], to: .unknown, change: answer, detail: "reversal owed: \(why)", recovery: plan)
        let missed = await write(unwritten + [owed], .flushed)
        pipeline.crash(.reversalOwed)
        let missing = missed == nil ? [] : unwritten + [owed]
        let cause = (storage ?? missed).map(PaymentFailure.ledger)
        let chipData = [Tag(0x95), Tag(0x9B)].flatMap { tag in
            dialogue.facts.value(of: tag).map { encodeTLV(tag, $0) } ?? []
        }
        do throws(GatewayError) {
            let answer = try await pipeline.gateway.reverse(
                ReversalRequest(attempt: attempt, amount: request.total, reason: reason, chipData: chipData),
                until: deadline(pipeline.limits.host))
            pipeline.crash(.reversalAnswered)
            if case .refused(let code) = answer { throw .noAnswer(reason: "reversal \(code)") }
        } catch {
            // The debt at least must be found after a restart.
            if !missing.isEmpty { _ = await write(missing, .flushed) }
            return respond(.unknown, .unknown, card: card, failure: cause ?? .gateway(error))
        }
        return await reversed(reason, after: missing, card, failure: cause ?? failure)
    }

    /// The reversal is confirmed: no money stays moved, whether or not the ledger takes it.
    private func reversed(
        _ reason: ReversalRequest.Reason, after missing: [Transition], _ card: CardSummary, failure: PaymentFailure?
    ) async -> PaymentResult {
        let info = Self.info(of: failure)
        let last = Transition.step(
            id, from: [.unknown], to: .reversed, change: change(to: .reversed, info, card), detail: reason.rawValue,
            recovery: .none)
        let first = await write(missing + [last], .flushed)
        if first != nil { _ = await write(missing + [last], .flushed) }
        pipeline.crash(.reversalRecorded)
        return respond(.reversed, .reversed, card: card, failure: failure ?? first.map(PaymentFailure.ledger))
    }

    /// A repeated request gets the same exit status from it.
    private static func info(of failure: PaymentFailure?) -> StatusInfo {
        guard case .reader(let error) = failure else { return .reversed }
        switch StatusInfo(readerFailure: error, isArmed: true) {
        case .readerLost, .readerUnusable, .busy: return .reversedReaderLost
        default: return .reversed
        }
    }
}
