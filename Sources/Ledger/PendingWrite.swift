/// A change that waits for its place in a commit.
struct PendingWrite: Sendable {
    /// Called once, with nil when the change has been committed, else with the reason why nothing of it was written.
    typealias Completion = (LedgerError?) -> Void

    /// The least that the commit must survive.
    let durability: Durability
    /// Makes the change inside a transaction that is open. What it throws concerns this change alone.
    let perform: @Sendable (SQLiteConnection) throws(LedgerError) -> Completion
    /// Called instead of `perform`, or after it has thrown.
    let refuse: @Sendable (LedgerError) -> Void
}
