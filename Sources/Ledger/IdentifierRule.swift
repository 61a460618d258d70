/// Whether an identifier may be used again.
public enum IdentifierRule: Hashable, Sendable {
    /// It may.
    case free
    /// One transaction, sale or refund, for one identifier within a scope, whatever becomes of it. A request with the
    /// digest of the first is a repetition of it; one with another digest is refused. A transaction without an
    /// identifier is always a new one.
    ///
    /// - Parameters:
    ///   - scope: whose identifiers they are, for example a merchant; empty for the only one.
    ///   - digest: SHA-256 of the request's body, 64 lower-case hexadecimal digits.
    case once(scope: String, digest: String)
}

/// What became of the wish to begin a transaction.
public enum Beginning: Hashable, Sendable {
    /// It has been written.
    case begun(TransactionRecord)
    /// The same request has come before. This is its transaction as it is now; nothing was written.
    case repeated(TransactionRecord)

    public var record: TransactionRecord {
        switch self {
        case .begun(let record), .repeated(let record): record
        }
    }
}
