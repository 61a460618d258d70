extension Ledger {
    /// Makes one change. Changes that arrive while another commit is under way share the next commit, and its fsync; an
    /// idle ledger commits at once. Each change still happens completely or not at all, and alone decides whether it
    /// happens, as long as the commit succeeds. Cancelling the caller's task takes nothing back.
    nonisolated func write<Result: Sendable>(
        _ durability: Durability, _ body: @escaping @Sendable (SQLiteConnection) throws(LedgerError) -> Result
    ) async throws(LedgerError) -> Result {
        let result: Swift.Result<Result, LedgerError> = await withCheckedContinuation { continuation in
            let write = PendingWrite(durability: durability) { (connection) throws(LedgerError) in
                let value = try body(connection)
                return { error in continuation.resume(returning: error.map { .failure($0) } ?? .success(value)) }
            } refuse: { error in
                continuation.resume(returning: .failure(error))
            }
            thread.submit(write, to: self)
        }
        return try result.get()
    }

    /// One commit for all of them.
    fileprivate func commitTogether(_ writes: [PendingWrite]) {
        var group = WriteGroup(writes)
        do throws(LedgerError) {
            let connection = try connected()
            try connection.immediate(group.durability) { () throws(LedgerError) in try group.perform(on: connection) }
            count(group)
            group.finish(nil)
            connection.shortenLog()
        } catch {
            group.finish(error)
        }
    }

    /// The same for one of them, unless another process is writing.
    fileprivate func commitAlone(_ write: PendingWrite) -> UnwaitingCommit {
        var group = WriteGroup([write])
        do throws(LedgerError) {
            let connection = try connected()
            let isMade = try connection.immediateUnlessBusy(group.durability) { () throws(LedgerError) in
                try group.perform(on: connection)
            }
            guard isMade else { return .mustWait }
            count(group)
            let outcome: UnwaitingCommit = connection.hasLongLog ? .doneWithChore : .done
            group.finish(nil)
            return outcome
        } catch {
            group.finish(error)
            return .done
        }
    }

    fileprivate func shortenLog() {
        connection?.shortenLog()
    }
}

extension Ledger: WriteCommitter {
    nonisolated func commit(_ writes: [PendingWrite]) {
        assumeIsolated { $0.commitTogether(writes) }
    }

    nonisolated func commitWithoutWaiting(_ write: PendingWrite) -> UnwaitingCommit {
        assumeIsolated { $0.commitAlone(write) }
    }

    nonisolated func doChore() {
        assumeIsolated { $0.shortenLog() }
    }
}
