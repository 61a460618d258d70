import Gateways
import Ledger
import Transport

extension PaymentPipeline {
    /// Takes a whole approved sale back on its own day in Mexico City, before its batch is closed. The card is not needed.
    ///
    /// The intention is on disk before the host is told: an approved sale with a plan of recovery owes a void, and whoever
    /// finds one goes on with it. From then on cancelling the task has no effect. A void of a voided sale sends nothing.
    public func void(_ id: String) async -> VoidResult {
        guard let permit = owner.directory.work(on: id) else {
            return await whileLocked(id)
        }
        defer { permit.release() }
        let sale: TransactionRecord
        do throws(LedgerError) {
            sale = try await ledger.transaction(id)
            guard sale.kind == .sale else { return .refused(.notFound, nil) }
            if sale.state == PaymentState.voided.name { return .alreadyVoided(sale) }
            if let refusal = try await voidRefusal(sale) { return .refused(refusal, sale) }
        } catch {
            if case .notFound = error.code { return .refused(.notFound, nil) }
            return .ledger(error, nil)
        }
        // In a task of its own: a cancel cannot leave half a void behind.
        return await Task {
            if Recovery.isStored(sale), !Recovery.owesVoid(sale), let result = await VoidRun(pipeline: self).drop(sale)
            {
                return result
            }
            return await VoidRun(pipeline: self).begin(sale)
        }.value
    }

    private func whileLocked(_ id: String) async -> VoidResult {
        do throws(LedgerError) {
            return .underWay(try await ledger.transaction(id))
        } catch {
            if case .notFound = error.code { return .refused(.notFound, nil) }
            return .ledger(error, nil)
        }
    }

    private func voidRefusal(_ sale: TransactionRecord) async throws(LedgerError) -> VoidRefusal? {
        if let refusal = VoidRefusal(sale.state) { return refusal }
        if sale.batch != nil { return .settled }
        guard RecoveryRun.attempt(of: sale) != nil, RecoveryRun.asked(sale) != nil else { return .noAttempt }
        if sale.offline == .refused { return .refusedOffline }
        // A void that is owed was in time when it was asked for; of a stored sale the host has no day yet.
        if !Recovery.owesVoid(sale), !Recovery.isStored(sale) {
            let today = zone.civilTime(atMilliseconds: wallClock.nowMilliseconds())
            guard today.isSameDay(as: zone.civilTime(atMilliseconds: sale.createdAt)) else { return .otherDay }
        }
        let refunds = try await ledger.refunds(of: sale.id)
        return refunds.contains { Self.countedStates.contains($0.state) } ? .partlyRefunded : nil
    }
}
