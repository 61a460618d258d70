/// What an open ledger has done so far: how well its callers share commits.
public struct LedgerActivity: Hashable, Sendable {
    /// Changes that were committed.
    public internal(set) var changes = 0
    /// Transactions that were committed.
    public internal(set) var commits = 0
    /// Those of them that were given to the disk, each with one fsync of the log.
    public internal(set) var flushes = 0
}
