import BERTLV
import Crypto
import EMV
import Gateways
import Ledger
import Money
import Readers
import Transport

/// A sale that card and terminal approve without the host.
extension SaleRun {
    /// What the kernel is told about a TC without the issuer.
    var offlineRule: OfflineApprovalRule { pipeline.offline?.approvals == nil ? .never : .onPermission }

    /// 1 ... 99, for the random selection of payments that go to the issuer all the same (Book 3, 10.6.2).
    var selectionNumber: Int {
        guard let approvals = pipeline.offline?.approvals, !approvals.asksHostFirst else { return 1 }
        // Two bytes, so that the remainder hardly prefers a number.
        return pipeline.random.bytes(2).reduce(0) { $0 << 8 | Int($1) } % 99 + 1
    }

    /// What becomes of room that was held for an approval, with a step that does not use it.
    var releasingRoom: StoredPaymentStep { pipeline.offline == nil ? .keep : .release }

    /// What may be approved offline with this card; nil: nothing. Only the kernel on this side keeps to the caps.
    func offlineApprovals(_ facts: CardFacts) -> OfflineSettings.Approvals? {
        guard case .kernel = facts else { return nil }
        return pipeline.offline?.approvals
    }

    /// The card's first cryptogram may be a TC (ARC Y1): only where the host need not be asked, and below the floor limit.
    func mayApproveAtOnce(_ facts: CardFacts) async -> Bool {
        guard let approvals = pipeline.offline?.approvals, !approvals.asksHostFirst else { return false }
        // TVR byte 4, bit 8: the amount is not below the floor limit.
        guard let results = facts.value(of: 0x95), results.count == 5, results[3] & 0x80 == 0 else { return false }
        return await reserveRoom(approvals) == nil
    }

    /// The host cannot be reached: the card is ended, with a TC (ARC Y3) where that is allowed and the card wants it.
    ///
    /// - Returns: how the card ended, and the rule because of which it was not asked for a TC.
    func endWithoutHost(
        _ error: GatewayError, _ dialogue: inout any CardDialogue
    ) async -> (stop: CardStop?, refusal: OfflineRefusal?) {
        let deadline = deadline(pipeline.limits.dialogue)
        var refusal: OfflineRefusal?
        do throws(ReaderError) {
            let stop = try await dialogue.resume(
                .unableToGoOnline, until: deadline,
                allowing: { _ in
                    // What may have reached the host is never approved here as well.
                    guard case .notSent = error, let approvals = pipeline.offline?.approvals else { return false }
                    refusal = await reserveRoom(approvals)
                    return refusal == nil
                })
            return (stop, refusal)
        } catch {
            return (nil, refusal)
        }
    }

    /// Nil when room is held, on disk, for this sale.
    private func reserveRoom(_ approvals: OfflineSettings.Approvals) async -> OfflineRefusal? {
        guard request.total.currency == approvals.perSale.currency else { return .currency }
        do throws(LedgerError) {
            let cap = try await pipeline.ledger.reserveOffline(
                id, amount: request.total.minorUnits, currency: request.total.currency.numeric,
                within: approvals.caps, at: now)
            if let cap { return .cap(cap) }
        } catch {
            return .ledger(error.code.name)
        }
        pipeline.crash(.offlineRoomReserved)
        return nil
    }

    /// The card gave its TC: from the commit on it is an approval that the host has to hear of. Before it, nobody was told
    /// of anything, and nothing was sent.
    ///
    /// - Parameter unwritten: earlier steps, for the same commit.
    func approveOffline(
        _ approval: OfflineAdvice.Approval, _ card: CardSummary, _ facts: CardFacts,
        after unwritten: [Transition] = []
    ) async -> PaymentResult {
        pipeline.crash(.offlineCardApproved)
        let chipData = ChipData.advice { facts.value(of: $0) }
        guard let settings = pipeline.offline, let attempt = AttemptID(id),
            let message = authorisationRequest(attempt, facts, chipData: chipData),
            let advice = OfflineAdvice(message, approval)
        else {
            let fault = CardFault(stage: .secondGenerateAC, reason: "the card data do not make an advice")
            return await end(.failed, .cardFault, card: card, failure: .card(fault), after: unwritten)
        }
        let sealed: [UInt8]
        do throws(CryptoError) {
            sealed = try settings.seal.seal(advice, random: pipeline.random)
        } catch {
            return await end(.failed, .storageFailed, card: card, failure: .library("\(error)"), after: unwritten)
        }
        let receipt = makeReceipt(facts, card, responseCode: approval.rawValue, authorization: "", approved: true)
        var change = change(to: .approved, .none, card)
        change.attemptID = attempt.text
        change.entryMode = message.entryMode.rawValue
        change.approvedAt = now
        change.responseCode = approval.rawValue
        change.receipt = pipeline.stored(receipt)
        change.offline = .stored
        let approved = Transition.step(
            id, from: [.authorizing], to: .approved, change: change, detail: "approved offline (\(approval.rawValue))",
            recovery: .none, stored: .store(sealed: sealed))
        let steps =
            approval == .atOnce ? [.step(id, from: [.cardPresented], to: .authorizing), approved] : [approved]
        if let error = await write(unwritten + steps, .flushed) {
            if let answer = await pipeline.answerOfOthers(id, after: error) { return answer }
            return await end(.failed, .storageFailed, card: card, failure: .ledger(error), after: unwritten)
        }
        pipeline.crash(.outcomeRecorded)
        return respond(.approved, .none, card: card, failure: nil, hasReceipt: true, offline: .stored)
    }
}
