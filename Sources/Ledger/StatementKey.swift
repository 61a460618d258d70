/// What a prepared statement is found by again.
enum StatementKey: Hashable {
    case sql(String)
    /// The update of one transaction's row by its id, of these columns: a bit for the raw value of each. To hash the text
    /// of such a statement would take longer than to run it.
    case update(columns: UInt64)
}
