import Gateways
import Ledger
import Transport

/// One attempt to take an approved sale back, by whoever has the right to work on it.
struct VoidRun: Sendable {
    let pipeline: PaymentPipeline

    /// The first attempt: it makes the void owed.
    func begin(_ sale: TransactionRecord) async -> VoidResult {
        let owed: TransactionRecord
        do throws(LedgerError) {
            let plan = RecoveryPlan.due(at: now(), tries: sale.resolveTries)
            var intention = Transition.remark(sale, detail: "void owed", recovery: plan)
            intention.isOutsideBatches = true
            // Whether a refund or a batch was first is decided with the write.
            owed = try await pipeline.ledger.beginReturn(
                intention, countedStates: PaymentPipeline.countedStates, at: now())
        } catch {
            switch error.code {
            case .limitExceeded: return .refused(.partlyRefunded, sale)
            case .conflict(let state):
                if let refusal = await batchRefusal(of: sale.id) { return refusal }
                guard let refusal = VoidRefusal(state) else { return .ledger(error, sale) }
                return .refused(refusal, sale)
            default: return .ledger(error, sale)
            }
        }
        pipeline.crash(.voidIntentionRecorded)
        return await send(owed, isFirst: true, until: .after(pipeline.limits.host, on: pipeline.clock))
    }

    /// A stored sale that cannot have reached the host goes without a word to it. Nil when it may have: the host has to
    /// take it back.
    func drop(_ sale: TransactionRecord) async -> VoidResult? {
        do throws(LedgerError) {
            let dropped = try await write(voiding(sale, unsent: true, detail: "void before the host heard of it"))
            pipeline.crash(.storedSaleDropped)
            return .voided(dropped)
        } catch {
            if case .conflict = error.code { return nil }
            return .ledger(error, sale)
        }
    }

    /// - Parameter unsent: a stored sale goes only if it cannot have reached the host.
    private func voiding(_ sale: TransactionRecord, unsent: Bool, detail: String) -> Transition {
        var change = TransactionChange()
        change.receipt = pipeline.storedVoid(of: sale)
        guard Recovery.isStored(sale) else {
            return .step(sale, to: .voided, change: change, detail: detail, recovery: .none)
        }
        change.offline = .dropped
        return .step(
            sale, to: .voided, change: change, detail: detail, recovery: .none, stored: .remove(unsent: unsent))
    }

    /// Tells the host about a void that is on disk, and writes what comes of it.
    ///
    /// - Parameter isFirst: the host cannot have heard of it before.
    func send(_ owed: TransactionRecord, isFirst: Bool, until deadline: Deadline) async -> VoidResult {
        guard let attempt = RecoveryRun.attempt(of: owed), let amount = RecoveryRun.asked(owed) else {
            return await drop(owed, .noAttempt)
        }
        let response: ReversalResponse
        do throws(GatewayError) {
            response = try await pipeline.gateway.reverse(
                ReversalRequest(attempt: attempt, amount: amount, reason: .void), until: deadline)
        } catch {
            return await later(owed, error)
        }
        pipeline.crash(.voidAnswered)
        switch response {
        case .reversed: return await done(owed, detail: "void")
        case .nothingToReverse: return await done(owed, detail: "void: the host had nothing to reverse")
        case .refused(let code):
            guard !isFirst else { return await drop(owed, .host(code)) }
            return await askAfter(refusal: code, owed, attempt, until: deadline)
        }
    }

    private func done(_ owed: TransactionRecord, detail: String) async -> VoidResult {
        do throws(LedgerError) {
            let voided = try await write(voiding(owed, unsent: false, detail: detail))
            pipeline.crash(.voidRecorded)
            return .voided(voided)
        } catch {
            return .ledger(error, owed)
        }
    }

    /// An earlier void that was not answered may be why the host refuses another one.
    private func askAfter(
        refusal code: ResponseCode, _ owed: TransactionRecord, _ attempt: AttemptID, until deadline: Deadline
    ) async -> VoidResult {
        do throws(GatewayError) {
            switch try await pipeline.gateway.status(of: attempt, until: deadline) {
            case .reversed: return await done(owed, detail: "void: the host had voided it before")
            case .approved, .declined, .notFound: return await drop(owed, .host(code))
            }
        } catch {
            return await later(owed, error)
        }
    }

    /// A batch took the sale between the question and the write.
    private func batchRefusal(of id: String) async -> VoidResult? {
        guard let sale = try? await pipeline.ledger.transaction(id), sale.batch != nil else { return nil }
        return .refused(.settled, sale)
    }

    /// The sale stands.
    private func drop(_ owed: TransactionRecord, _ refusal: VoidRefusal) async -> VoidResult {
        do throws(LedgerError) {
            let remark = Transition.remark(owed, detail: "not voided: \(refusal.code.rawValue)", recovery: .none)
            return .refused(refusal, try await write(remark))
        } catch {
            return .ledger(error, owed)
        }
    }

    /// The next attempt is planned. What a day of attempts could not do is left, with a remark in the journal.
    private func later(_ owed: TransactionRecord, _ error: GatewayError) async -> VoidResult {
        let tries = owed.resolveTries + 1
        let (age, overflow) = now().subtractingReportingOverflow(owed.createdAt)
        do throws(LedgerError) {
            if case .cancelled(sent: false) = error { return .unknown(error, owed) }
            if RecoverySchedule.isExhausted(age: overflow ? .max : age, tries: tries) {
                let detail = "void given up after \(tries) attempts (\(error.code.rawValue)): ask the acquirer"
                return .unknown(error, try await write(.remark(owed, detail: detail, recovery: .none)))
            }
            let delay = RecoverySchedule.delay(afterTries: tries, random: pipeline.random)
            let detail = "void, attempt \(tries): no answer (\(error.code.rawValue)); again in \(delay) ms"
            let plan = RecoveryPlan.due(at: now() &+ delay, tries: tries)
            return .unknown(error, try await write(.remark(owed, detail: detail, recovery: plan)))
        } catch {
            return .ledger(error, owed)
        }
    }

    private func write(_ step: Transition) async throws(LedgerError) -> TransactionRecord {
        let written = try await pipeline.ledger.advance([step], at: now(), durability: .flushed)
        guard let record = written.first else { return try await pipeline.ledger.transaction(step.id) }
        return record
    }

    private func now() -> Int64 { pipeline.wallClock.nowMilliseconds() }
}
