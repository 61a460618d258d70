/// One line of the journal: what was promised to disk about a transaction, in the order in which it was promised.
public struct JournalEntry: Hashable, Sendable {
    /// Grows by at least one with every entry of the whole ledger, and is never used again.
    public let sequence: Int64
    public let transactionID: String
    /// Unix milliseconds, by the caller's clock. The order of entries is the sequence, never this.
    public let at: Int64
    /// Nil in the entry that began the transaction; equal to `to` in a note.
    public let from: StateName?
    public let to: StateName
    public let detail: String?
}
