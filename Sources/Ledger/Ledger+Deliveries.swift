extension Ledger {
    /// Takes the notices that are due, in one commit: a transaction in one of `states` without a notice of this kind gets
    /// one. Of several programs that ask at the same moment each gets other ones; each is due again at `until`, should
    /// this program be gone by then. A receiver can so hear twice of a transaction, never not at all.
    ///
    /// - Parameters:
    ///   - since: only sales created at this time (unix milliseconds) or later get a new notice.
    ///   - now: unix milliseconds.
    ///   - until: unix milliseconds, after `now`.
    ///   - limit: 1 ... `largestAnswer` rows; anything else is taken to the nearer end.
    /// - Returns: the longest overdue first.
    /// - Throws: as `begin`.
    public nonisolated func claimDeliveries(
        _ kind: String, of states: Set<StateName>, since: Int64, at now: Int64, until: Int64, limit: Int = 100,
        durability: Durability = .flushed
    ) async throws(LedgerError) -> [DeliveryRecord] {
        let condition = Condition.state(in: states)
        return try await write(durability) { (connection) throws(LedgerError) in
            try connection.run(
                """
                INSERT INTO deliveries (transaction_id, kind, state, tries, due_at, updated_at)
                SELECT id, ?, 'pending', 0, ?, ? FROM transactions
                WHERE created_at >= ? AND transactions.kind = 'sale' AND \(condition.sql)
                AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.transaction_id = transactions.id AND d.kind = ?)
                """,
                [.text(kind), .integer(now), .integer(now), .integer(since)] + condition.values + [.text(kind)])
            let due = try Self.deliveries(
                "WHERE kind = ? AND due_at <= ? ORDER BY due_at, rowid LIMIT ?",
                [.text(kind), .integer(now), .integer(Int64(min(max(limit, 1), Self.largestAnswer)))], on: connection)
            for delivery in due {
                try connection.run(
                    "UPDATE deliveries SET due_at = ?, updated_at = ? WHERE transaction_id = ? AND kind = ?",
                    [.integer(until), .integer(now), .text(delivery.transactionID), .text(kind)])
            }
            return due
        }
    }

    /// Writes down how an attempt ended. A notice that is delivered or dead stays as it is.
    ///
    /// - Parameter now: unix milliseconds.
    /// - Throws: as `begin`.
    public nonisolated func record(
        _ delivery: DeliveryRecord, at now: Int64, durability: Durability = .flushed
    ) async throws(LedgerError) {
        try await write(durability) { (connection) throws(LedgerError) in
            try connection.run(
                """
                UPDATE deliveries SET state = ?, tries = ?, due_at = ?, updated_at = ?
                WHERE transaction_id = ? AND kind = ? AND state = 'pending'
                """,
                [
                    .text(delivery.state.rawValue), .integer(Int64(delivery.tries)), .integer(delivery.dueAt),
                    .integer(now), .text(delivery.transactionID), .text(delivery.kind),
                ])
        }
    }

    /// The notices in this state, the oldest first, `largestAnswer` at most.
    public nonisolated func deliveries(
        _ kind: String, in state: StateName
    ) async throws(LedgerError) -> [DeliveryRecord] {
        try await ask { (connection) throws(LedgerError) in
            try Self.deliveries(
                "WHERE kind = ? AND state = ? ORDER BY rowid LIMIT ?",
                [.text(kind), .text(state.rawValue), .integer(Int64(Self.largestAnswer))], on: connection)
        }
    }

    private static func deliveries(
        _ clauses: String, _ values: [SQLiteValue], on connection: SQLiteConnection
    ) throws(LedgerError) -> [DeliveryRecord] {
        try connection.rows(
            "SELECT transaction_id, kind, state, tries, due_at FROM deliveries \(clauses)", values
        ) { (row) throws(LedgerError) in
            guard let id = row.text(0), let kind = row.text(1), let state = row.text(2), let tries = row.integer(3)
            else { throw .corrupt("a row of the table deliveries does not hold what it must") }
            return DeliveryRecord(
                transactionID: id, kind: kind, state: StateName(rawValue: state), tries: Int(clamping: tries),
                dueAt: row.integer(4))
        }
    }
}
