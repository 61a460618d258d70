/// What makes the changes that a `LedgerThread` hands over. Called only in that thread's turns, one call after another.
protocol WriteCommitter: AnyObject, Sendable {
    /// Makes all of them, in one commit, and tells each what became of it. May block.
    func commit(_ writes: [PendingWrite])
    /// The same for one, on the thread of its caller: waits for the disk, but never for another process.
    func commitWithoutWaiting(_ write: PendingWrite) -> UnwaitingCommit
    /// Does what was left for a moment when nobody waits. May block.
    func doChore()
}

/// How far a commit on the caller's thread came.
enum UnwaitingCommit {
    /// The caller has been told.
    case done
    /// The same, and something is left that can wait.
    case doneWithChore
    /// Another process is writing; nothing was done, and nobody was told.
    case mustWait
}
