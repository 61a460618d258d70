/// The changes that share one transaction.
struct WriteGroup {
    private let writes: [PendingWrite]
    private var performed: [PendingWrite.Completion] = []
    private var refused: [(write: PendingWrite, error: LedgerError)] = []

    init(_ writes: [PendingWrite]) {
        self.writes = writes
    }

    /// One that wants its commit on the disk takes the others with it.
    var durability: Durability { writes.contains { $0.durability == .flushed } ? .flushed : .written }

    /// How many changes the transaction holds.
    var performedCount: Int { performed.count }

    /// Makes every change that can be made, each in its own savepoint. Throws when nothing of the transaction may be
    /// committed: SQLite has taken it back, no change could be made, or the file does not lie in the directory any more.
    /// SQLite would go on writing to it, and what a restart cannot find was never promised.
    mutating func perform(on connection: SQLiteConnection) throws(LedgerError) {
        guard !connection.hasMoved else { throw .fileTakenAway() }
        guard writes.count > 1 else {
            for write in writes { performed.append(try write.perform(connection)) }
            return
        }
        for write in writes {
            do throws(LedgerError) {
                performed.append(
                    try connection.savepoint { () throws(LedgerError) in try write.perform(connection) })
            } catch {
                guard connection.isInTransaction else { throw error }
                refused.append((write, error))
            }
        }
        if performed.isEmpty, let first = refused.first { throw first.error }
    }

    /// Tells every caller what became of its change; last of all, since a caller may go on at once.
    ///
    /// - Parameter error: why the transaction was not committed.
    consuming func finish(_ error: LedgerError?) {
        for completion in performed { completion(error) }
        for (write, ownError) in refused { write.refuse(ownError) }
        guard let error else { return }
        for write in writes.dropFirst(performed.count + refused.count) { write.refuse(error) }
    }
}
