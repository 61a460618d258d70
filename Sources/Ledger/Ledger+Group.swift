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
            thread.submit(write) { [self] writes in assumeIsolated { $0.commit(writes) } }
        }
        return try result.get()
    }

    /// One commit for all of them, to the file that lies in the directory. SQLite would go on writing to a file that
    /// somebody has taken away, and what a restart cannot find was never promised.
    private func commit(_ writes: [PendingWrite]) {
        var group = WriteGroup(writes)
        do throws(LedgerError) {
            let connection = try connected()
            try connection.immediate(group.durability) { () throws(LedgerError) in
                guard !connection.hasMoved else { throw .notWritable("its file was removed or replaced") }
                try group.perform(on: connection)
            }
            count(group)
            group.finish(nil)
            connection.shortenLog()
        } catch {
            group.finish(error)
        }
    }
}
