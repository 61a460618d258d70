extension Ledger {
    /// The transactions in one of these states, the oldest first: what a restart has to resolve.
    ///
    /// - Parameter owner: only those that this program is in charge of; nil for all.
    public nonisolated func unresolved(
        states: Set<StateName>, owner: String? = nil
    ) async throws(LedgerError) -> [TransactionRecord] {
        let condition = Condition.all([
            Condition.state(in: states), owner.map { Condition(sql: "owner = ?", values: [.text($0)]) },
        ])
        return try await ask { (connection) throws(LedgerError) in
            try Self.records("WHERE \(condition.sql) ORDER BY rowid", condition.values, on: connection)
        }
    }

    /// The transactions whose next attempt of recovery is due, the longest overdue first.
    ///
    /// - Parameters:
    ///   - now: unix milliseconds.
    ///   - limit: 1 ... `largestAnswer` rows; anything else is taken to the nearer end.
    public func due(at now: Int64, limit: Int = 100) throws(LedgerError) -> [TransactionRecord] {
        try Self.due(at: now, limit: limit, on: connected())
    }

    /// Takes charge of the transactions that are due, in one commit: of several programs that ask at the same moment each
    /// gets other ones. Each is counted as one more attempt, and is due again at `until`, should this program be gone by
    /// then. The state and the journal stay as they are.
    ///
    /// - Parameters:
    ///   - now: unix milliseconds.
    ///   - owner: this program.
    ///   - until: unix milliseconds, after `now`.
    ///   - limit: 1 ... `largestAnswer` rows; anything else is taken to the nearer end.
    /// - Returns: the longest overdue first, as they are now.
    /// - Throws: as `begin`.
    public nonisolated func claimDue(
        at now: Int64, owner: String, until: Int64, limit: Int = 100, durability: Durability = .flushed
    ) async throws(LedgerError) -> [TransactionRecord] {
        // The common answer, without the write lock.
        guard try await !due(at: now, limit: 1).isEmpty else { return [] }
        return try await write(durability) { (connection) throws(LedgerError) in
            var claimed: [TransactionRecord] = []
            for var record in try Self.due(at: now, limit: limit, on: connection) {
                record.owner = owner
                record.resolveAt = until
                record.resolveTries = min(record.resolveTries, Int.max - 1) + 1
                try connection.run(
                    "UPDATE transactions SET owner = ?, resolve_at = ?, resolve_tries = ? WHERE id = ?",
                    [.text(owner), .integer(until), .integer(Int64(record.resolveTries)), .text(record.id)])
                claimed.append(record)
            }
            return claimed
        }
    }

    /// Plans the next attempt of recovery of a transaction, or takes the plan away. The state and the journal stay as
    /// they are.
    ///
    /// - Parameters:
    ///   - resolveAt: unix milliseconds; nil when nothing is to be done any more.
    ///   - tries: attempts made so far, 0 and up.
    /// - Throws: `notFound`, else as `begin`.
    public nonisolated func schedule(
        _ id: String, resolveAt: Int64?, tries: Int, durability: Durability = .flushed
    ) async throws(LedgerError) {
        try await write(durability) { (connection) throws(LedgerError) in
            guard try Self.record(id, on: connection) != nil else { throw .notFound(id) }
            try connection.run(
                "UPDATE transactions SET resolve_at = ?, resolve_tries = ? WHERE id = ?",
                [.integer(resolveAt), .integer(Int64(tries)), .text(id)])
        }
    }

    /// How many transactions are in each state; a state without any is left out.
    public nonisolated func countByState() async throws(LedgerError) -> [StateName: Int] {
        try await ask { (connection) throws(LedgerError) in
            let counts = try connection.rows("SELECT state, count(*) FROM transactions GROUP BY state") {
                (row) throws(LedgerError) in (StateName(rawValue: row.text(0) ?? ""), Int(row.integer(1) ?? 0))
            }
            return Dictionary(counts, uniquingKeysWith: +)
        }
    }

    private static func due(
        at now: Int64, limit: Int, on connection: SQLiteConnection
    ) throws(LedgerError) -> [TransactionRecord] {
        try records(
            "WHERE resolve_at <= ? ORDER BY resolve_at, rowid LIMIT ?",
            [.integer(now), .integer(Int64(min(max(limit, 1), largestAnswer)))], on: connection)
    }
}
