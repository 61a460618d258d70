import Gateways
import Ledger
import Money

/// What recovery writes to the ledger. Every attempt and its reason is in the journal.
extension RecoveryRun {
    func advance(
        _ record: TransactionRecord, to state: PaymentState, info: StatusInfo, change: TransactionChange? = nil,
        detail: String, plan: RecoveryPlan
    ) async throws(LedgerError) -> TransactionRecord {
        var change = change ?? TransactionChange()
        change.outcome = state.outcome?.rawValue
        change.statusCode = info.code
        change.statusInfo = info.text
        // What was held for an approval without the host is not needed any more.
        return try await write(
            .step(record, to: state, change: change, detail: detail, recovery: plan, stored: .release))
    }

    private func write(_ step: Transition) async throws(LedgerError) -> TransactionRecord {
        let written = try await pipeline.ledger.advance([step], at: now())
        guard let record = written.first else { return try await pipeline.ledger.transaction(step.id) }
        return record
    }

    /// The end.
    func end(
        _ record: TransactionRecord, as state: PaymentState, info: StatusInfo, answer: AuthorisationResponse? = nil,
        reason: String
    ) async throws(LedgerError) -> Resolution {
        let change = answer.map { TransactionChange($0) }
        let ended = try await advance(record, to: state, info: info, change: change, detail: reason, plan: .none)
        pipeline.crash(.recoveryOutcomeRecorded)
        return Resolution(ended, found: found, reason: reason)
    }

    /// The refund was approved: it and its sale move on together, with a receipt.
    func completeRefund(
        _ record: TransactionRecord, _ answer: AuthorisationResponse?, reason: String = "the host had approved it"
    ) async throws(LedgerError) -> Resolution {
        let sale = try await pipeline.ledger.transaction(record.originalID ?? "")
        do throws(LedgerError) {
            try await pipeline.ledger.completeRefund(
                RefundRun.approval(of: record, sale, answer, by: pipeline, detail: reason),
                approvedStates: RefundRun.approvedStates, saleStates: RefundRun.saleStates,
                complete: PaymentState.refunded.name, partial: PaymentState.partiallyRefunded.name, at: now())
        } catch {
            guard case .conflict = error.code, record.state != PaymentState.manualReview.name else { throw error }
            return try await giveUp(record, reason: "the host had approved it, and its sale allows no refund any more")
        }
        pipeline.crash(.recoveryOutcomeRecorded)
        return Resolution(try await pipeline.ledger.transaction(record.id), found: found, reason: reason)
    }

    /// A remark that counts as an attempt under way; on disk when this returns.
    func note(
        _ record: TransactionRecord, _ change: TransactionChange, detail: String
    ) async throws(LedgerError) -> TransactionRecord {
        try await write(.remark(record, change: change, detail: detail))
    }

    /// No answer: the next attempt is planned, or a person is called. A message that was stopped before it left is no
    /// attempt.
    func retryLater(_ record: TransactionRecord, _ error: GatewayError) async throws(LedgerError) -> Resolution {
        // An acquirer that cannot be asked about a refund is not one that is silent just now: a person has to ask.
        let cannotAsk =
            record.kind == .refund && record.returnedAs != .void && !pipeline.gateway.answersInquiries
        let reason =
            cannotAsk ? "\(error.code.rawValue), this host cannot be asked about a refund" : error.code.rawValue
        if case .cancelled(sent: false) = error { return Resolution(record, found: found, reason: reason) }
        let tries = record.resolveTries + 1
        let (age, overflow) = now().subtractingReportingOverflow(record.createdAt)
        if RecoverySchedule.isExhausted(age: overflow ? .max : age, tries: tries) {
            return try await giveUp(
                record, reason: "given up after \(tries) attempts (\(reason))" + (cannotAsk ? ": ask the acquirer" : "")
            )
        }
        let delay = RecoverySchedule.delay(afterTries: tries, random: pipeline.random)
        let detail =
            "attempt \(tries): no answer (\(reason)); again in \(delay) ms"
            + (cannotAsk ? ", and for a person after a day: ask the acquirer" : "")
        let later = try await write(
            .remark(record, detail: detail, recovery: .due(at: now() &+ delay, tries: tries)))
        return Resolution(later, found: found, reason: detail)
    }

    /// A person has to find out.
    func giveUp(_ record: TransactionRecord, reason: String) async throws(LedgerError) -> Resolution {
        let given = try await advance(record, to: .manualReview, info: .unknown, detail: reason, plan: .none)
        pipeline.crash(.recoveryOutcomeRecorded)
        return Resolution(given, found: found, reason: reason)
    }

    /// As the ledger has it, or as it was known if the ledger does not tell.
    func current(_ record: TransactionRecord) async -> TransactionRecord {
        do throws(LedgerError) {
            return try await pipeline.ledger.transaction(record.id)
        } catch {
            return record
        }
    }
}

extension TransactionChange {
    /// What the host said.
    init(_ answer: AuthorisationResponse) {
        self.init()
        responseCode = answer.responseCode.text
        authorisation = answer.authorisationCode
        bank = answer.bank
        accountType = answer.accountType?.rawValue
        hostReference = answer.hostReference.nilIfEmpty
        approvedAmount = answer.approvedAmount.minorUnits
    }
}
