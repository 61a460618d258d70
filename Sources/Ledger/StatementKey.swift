/// What a prepared statement is found by again.
enum StatementKey: Hashable {
    case sql(String)
    /// The update of one transaction's row by its id, of these columns: a bit for the raw value of each. To hash the text
    /// of such a statement would take longer than to run it.
    case update(columns: UInt64)

    /// A text by its length alone; the few of one length are told apart by comparison. To hash every byte of a sale's
    /// statements took 1.8 % of all its instructions.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .sql(let text): hasher.combine(text.utf8.count)
        case .update(let columns): hasher.combine(columns)
        }
    }
}
