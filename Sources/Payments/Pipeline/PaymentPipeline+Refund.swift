import Crypto
import Gateways
import Ledger
import Money
import Transport

extension PaymentPipeline {
    /// Returns money of an approved sale, without a card.
    ///
    /// The rules are checked in the order notFound, notApproved, tooSoon, tooLate, tooMuch; the amount once more together
    /// with the write, so that two refunds at the same moment cannot exceed the sale.
    /// A sale whose outcome is open is resolved first; if that does not succeed in the time for a host, nothing is
    /// refunded, and the outcome is `unknown` without a transaction of its own.
    ///
    /// A request with an identifier is carried out once, as with a sale.
    public func refund(_ request: RefundRequest) async -> PaymentResult {
        let key: RequestKey?
        do throws(CryptoError) {
            key = try RequestKey(request)
        } catch {
            return refused(request, .library("\(error)"))
        }
        guard let key else { return await refund(request, nil) }
        let result = await underWay.once(key) {
            if let answer = await answerMeanwhile(key, request) { return answer }
            return await refund(request, key)
        }
        return result ?? refused(request, .rule(.duplicate))
    }

    /// What an equal request has come to, or a conflict with another one; nil when the identifier is free.
    private func answerMeanwhile(_ key: RequestKey, _ request: RefundRequest) async -> PaymentResult? {
        do throws(LedgerError) {
            return switch try await earlierAnswer(key, limit: limits.host) {
            case .same(let answer): answer
            case .otherData: refused(request, .rule(.duplicate))
            case nil: nil
            }
        } catch {
            return refused(request, .ledger(error))
        }
    }

    private func refund(_ request: RefundRequest, _ key: RequestKey?) async -> PaymentResult {
        let now = wallClock.nowMilliseconds()
        let original: TransactionRecord
        let (amount, left): (Amount, Amount)
        do throws(RefundRefusal) {
            original = try await refundableSale(request.transactionID, now: now)
            (amount, left) = try await refundAmount(request.amount, of: original)
        } catch {
            // What leaves nothing to refund may be this very request, carried out by another program meanwhile.
            if let key, let answer = await answerMeanwhile(key, request) { return answer }
            return refused(request, error)
        }
        let id = TransactionID.make(atMilliseconds: now, random: random)
        underWay.began(id)
        defer { underWay.ended(id) }
        let total = original.amount + original.tip
        let choice = ReturnChoice(
            ReturnChoice.Facts(
                total: total, amount: amount.minorUnits, returned: total - left.minorUnits,
                isInBatch: original.batch != nil, soldAt: original.createdAt, now: now), zone: zone)
        let beginning: Beginning
        do throws(LedgerError) {
            // How the host is to be told is on disk from the first line on, and is looked at once more with the write.
            beginning = try await ledger.beginRefund(
                NewTransaction(
                    id: id, state: PaymentState.created.name, amount: amount.minorUnits,
                    currency: amount.currency.numeric, identifier: request.details.identifier.nilIfEmpty,
                    reference: request.details.reference.nilIfEmpty, email: request.details.email.nilIfEmpty,
                    phone: request.details.phone.nilIfEmpty, owner: owner.id, returnedAs: choice.operation),
                ofOriginal: original.id, countedStates: Self.countedStates,
                originalStates: Self.refundableStates, limitMinorUnits: total,
                identifier: key?.rule ?? .free, at: now, durability: .written)
        } catch {
            return refused(request, Self.refusal(error, of: request, limit: total))
        }
        guard case .begun = beginning else { return await settledAnswer(beginning.record, limit: limits.host) }
        crash(.refundBegun)
        // The host is asked in a task of its own: a cancel cannot leave half a refund behind.
        return await Task { await run(request, id: id, amount: amount, original: original) }.value
    }

    private enum RefundRefusal: Error {
        case rule(StatusInfo)
        /// All of it was asked for.
        case nothingLeft
        case ledger(LedgerError)
        case library(String)
    }

    /// Another refund may have taken its part of the sale, or all of it, since the sale was looked at.
    private static func refusal(_ error: LedgerError, of request: RefundRequest, limit: Int64) -> RefundRefusal {
        switch error.code {
        case .limitExceeded(let counted): request.amount == nil && counted >= limit ? .nothingLeft : .rule(.tooMuch)
        case .conflict(PaymentState.refunded.name): request.amount == nil ? .nothingLeft : .rule(.tooMuch)
        // A void of the sale came first.
        case .planned: .rule(.unknown)
        case .conflict(let state): .rule(unresolvedStates.contains(state) ? .unknown : .notApproved)
        case .duplicate where !request.details.identifier.isEmpty: .rule(.duplicate)
        default: .ledger(error)
        }
    }

    private static let refundableStates = Set([PaymentState.approved, .partiallyRefunded, .settled].map(\.name))

    /// Nobody knows yet whether there is anything to refund: the issuer is being asked, or did not answer.
    private static let unresolvedStates = Set(
        [PaymentState.authorizing, .partiallyApproved, .unknown, .manualReview].map(\.name))

    /// A refund in one of these states has taken, or may yet take, its part of the sale.
    static let countedStates = Set(
        [PaymentState.created, .authorizing, .unknown, .manualReview, .approved, .settled].map(\.name))

    private func refundableSale(_ id: String, now: Int64) async throws(RefundRefusal) -> TransactionRecord {
        var sale: TransactionRecord
        do throws(LedgerError) {
            sale = try await ledger.transaction(id)
            // The host can refund only what it has heard of.
            if sale.kind == .sale, Self.unresolvedStates.contains(sale.state) || Recovery.isStored(sale) {
                let deadline = Deadline.after(limits.host, on: clock)
                sale = try await Recovery(self).settle(id, until: deadline, forwarding: true).record
            }
        } catch {
            if case .notFound = error.code { throw .rule(.notFound) }
            throw .ledger(error)
        }
        guard sale.kind == .sale else { throw .rule(.notFound) }
        // What is to be voided goes back as a whole.
        if Self.unresolvedStates.contains(sale.state) || Recovery.owesVoid(sale) || Recovery.isStored(sale) {
            throw .rule(.unknown)
        }
        if sale.offline == .refused { throw .rule(.notApproved) }
        // Of a sale that was refunded in full nothing is left: that is found with the amount, after the window.
        guard Self.refundableStates.contains(sale.state) || sale.state == PaymentState.refunded.name,
            let approvedAt = sale.approvedAt
        else {
            throw .rule(.notApproved)
        }
        if let objection = RefundWindow(zone: zone)
            .objection(approvedAt: approvedAt, soldAt: sale.createdAt, now: now)
        {
            throw .rule(objection)
        }
        return sale
    }

    /// What goes back, and what was left to go back.
    private func refundAmount(
        _ asked: Amount?, of sale: TransactionRecord
    ) async throws(RefundRefusal) -> (amount: Amount, left: Amount) {
        guard let currency = Currency(numeric: sale.currency),
            let total = Amount(minorUnits: sale.amount + sale.tip, currency: currency)
        else { throw .rule(.notApproved) }
        let counted = Self.countedStates
        let earlier: [TransactionRecord]
        do throws(LedgerError) {
            earlier = try await ledger.refunds(of: sale.id)
        } catch {
            throw .ledger(error)
        }
        let used = earlier.filter { counted.contains($0.state) }.reduce(Int64(0)) { $0 + $1.amount }
        guard let left = Amount(minorUnits: total.minorUnits - used, currency: currency), !left.isZero else {
            throw asked == nil ? .nothingLeft : .rule(.tooMuch)
        }
        guard let asked else { return (left, left) }
        guard asked.currency == currency, asked <= left else { throw .rule(.tooMuch) }
        return (asked, left)
    }

    private func run(
        _ request: RefundRequest, id: String, amount: Amount, original: TransactionRecord
    ) async -> PaymentResult {
        var card = CardSummary()
        card.lastFour = original.lastFour ?? ""
        card.brand = original.cardBrand ?? ""
        card.cardholderName = original.cardholderName ?? ""
        let refund = RefundRun(pipeline: self, request: request, id: id, amount: amount, original: original, card: card)
        return await refund.execute()
    }

    private func refused(_ request: RefundRequest, _ refusal: RefundRefusal) -> PaymentResult {
        var response = PaymentResponse(outcome: .failed)
        response.amount = request.amount
        response.identifier = request.details.identifier
        response.reference = request.details.reference
        response.email = request.details.email
        response.phone = request.details.phone
        switch refusal {
        case .rule(let info):
            response.statusInfo = info
            if info == .unknown { response.outcome = .unknown }
            return PaymentResult(response, failure: .rule(info))
        case .nothingLeft:
            response.statusInfo = .tooMuch
            return PaymentResult(response, failure: .alreadyRefunded)
        case .ledger(let error):
            response.statusInfo = .storageFailed
            return PaymentResult(response, failure: .ledger(error))
        case .library(let finding):
            response.statusInfo = .storageFailed
            return PaymentResult(response, failure: .library(finding))
        }
    }
}
