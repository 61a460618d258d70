extension Ledger {
    /// Takes the notices that are due, in one commit: a transaction in one of `states` without a notice of this kind gets
    /// one. Of several programs that ask at the same moment each gets other ones; each is due again at `until`, should
    /// this program be gone by then. A receiver can so hear twice of a transaction, never not at all. When there is
    /// nothing to take, nothing is written.
    ///
    /// - Parameters:
    ///   - since: only sales created at this time (unix milliseconds) or later get a new notice.
    ///   - now: unix milliseconds.
    ///   - until: unix milliseconds, after `now`.
    ///   - horizon: a notice that is due later than this (unix milliseconds) was planned before the clock was set back,
    ///     and counts as due.
    ///   - limit: 1 ... `largestAnswer` rows; anything else is taken to the nearer end.
    /// - Returns: the longest overdue first.
    /// - Throws: as `begin`.
    public nonisolated func claimDeliveries(
        _ kind: String, of states: Set<StateName>, since: Int64, at now: Int64, until: Int64, horizon: Int64 = .max,
        limit: Int = 100, durability: Durability = .flushed
    ) async throws(LedgerError) -> [DeliveryRecord] {
        let rows = min(max(limit, 1), Self.largestAnswer)
        // The common answer, without the write lock. The search for sales without a notice stays outside it as well.
        let (untold, isDue) = try await ask { (connection) throws(LedgerError) in
            (
                try Self.untold(kind, states, since: since, limit: rows, on: connection),
                try !Self.due(kind, at: now, horizon: horizon, limit: 1, on: connection).isEmpty
            )
        }
        guard !untold.isEmpty || isDue else { return [] }
        return try await write(durability) { (connection) throws(LedgerError) in
            for id in untold {
                try connection.run(
                    """
                    INSERT OR IGNORE INTO deliveries (transaction_id, kind, state, tries, due_at, updated_at)
                    VALUES (?, ?, 'pending', 0, ?, ?)
                    """, [.text(id), .text(kind), .integer(now), .integer(now)])
            }
            let due = try Self.due(kind, at: now, horizon: horizon, limit: rows, on: connection)
            for delivery in due { try Self.claim(delivery, at: now, until: until, on: connection) }
            return due
        }
    }

    /// Takes the notice of one transaction, due or not. A dead one begins again, with no attempts made.
    ///
    /// - Parameters: as of `claimDeliveries`.
    /// - Throws: `notFound`; `conflict` when it is delivered (`current` is then `delivered`), or when there is none and
    ///   the transaction is no sale in one of `states`; else as `begin`.
    public nonisolated func claimDelivery(
        _ kind: String, of id: String, states: Set<StateName>, at now: Int64, until: Int64,
        durability: Durability = .flushed
    ) async throws(LedgerError) -> DeliveryRecord {
        try await write(durability) { (connection) throws(LedgerError) in
            guard let transaction = try Self.record(id, on: connection) else { throw .notFound(id) }
            let known = try Self.deliveries(
                "WHERE transaction_id = ? AND kind = ?", [.text(id), .text(kind)], on: connection
            ).first
            if let known, known.state == "delivered" { throw .conflict(id, current: known.state) }
            let isBooked = transaction.offline == nil || transaction.offline == .forwarded
            guard known != nil || (transaction.kind == .sale && states.contains(transaction.state) && isBooked) else {
                throw .conflict(id, current: transaction.state)
            }
            try connection.run(
                """
                INSERT INTO deliveries (transaction_id, kind, state, tries, due_at, updated_at)
                VALUES (?, ?, 'pending', 0, ?, ?) ON CONFLICT (transaction_id, kind)
                DO UPDATE SET tries = CASE state WHEN 'dead' THEN 0 ELSE tries END, state = 'pending', due_at = ?,
                updated_at = ?
                """,
                [
                    .text(id), .text(kind), .integer(until), .integer(now), .integer(until), .integer(now),
                ])
            let tries = known?.state == "pending" ? known?.tries ?? 0 : 0
            return DeliveryRecord(transactionID: id, kind: kind, state: "pending", tries: tries, dueAt: until)
        }
    }

    /// Writes down how an attempt ended. A notice that is delivered or dead stays as it is.
    ///
    /// - Parameters:
    ///   - now: unix milliseconds.
    ///   - remark: for the journal of the transaction, in the same commit; without card data and secrets.
    /// - Throws: as `begin`.
    public nonisolated func record(
        _ delivery: DeliveryRecord, at now: Int64, remark: String? = nil, durability: Durability = .flushed
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
            guard let remark, let transaction = try Self.record(delivery.transactionID, on: connection) else { return }
            try Self.append(
                transaction.id, from: transaction.state, to: transaction.state, detail: remark, at: now, on: connection)
        }
    }

    /// The sales in one of `states` that have no notice of this kind yet, the oldest first. One that was approved without
    /// the host counts when the host has booked it.
    ///
    /// - Parameters: as of `claimDeliveries`.
    public nonisolated func untoldSales(
        _ kind: String, of states: Set<StateName>, since: Int64, limit: Int = Ledger.largestAnswer
    ) async throws(LedgerError) -> [String] {
        try await ask { (connection) throws(LedgerError) in
            try Self.untold(kind, states, since: since, limit: min(max(limit, 1), Self.largestAnswer), on: connection)
        }
    }

    /// When the next notice of this kind is due (unix milliseconds); nil when none is pending.
    public nonisolated func nextDelivery(_ kind: String) async throws(LedgerError) -> Int64? {
        try await ask { (connection) throws(LedgerError) in
            try connection.integer(
                "SELECT min(due_at) FROM deliveries WHERE due_at IS NOT NULL AND kind = ?", [.text(kind)])
        }
    }

    /// The notices in this state, the newest first, `largestAnswer` at most.
    public nonisolated func deliveries(
        _ kind: String, in state: StateName
    ) async throws(LedgerError) -> [DeliveryRecord] {
        try await ask { (connection) throws(LedgerError) in
            try Self.deliveries(
                "WHERE kind = ? AND state = ? ORDER BY rowid DESC LIMIT ?",
                [.text(kind), .text(state.rawValue), .integer(Int64(Self.largestAnswer))], on: connection)
        }
    }

    private static func untold(
        _ kind: String, _ states: Set<StateName>, since: Int64, limit: Int, on connection: SQLiteConnection
    ) throws(LedgerError) -> [String] {
        let condition = Condition.state(in: states)
        // By its time: nearly every sale is in one of the states, and SQLite would look at them all.
        return try connection.rows(
            """
            SELECT id FROM transactions INDEXED BY transactions_created_at
            WHERE created_at >= ? AND transactions.kind = 'sale' AND \(condition.sql)
            AND (offline IS NULL OR offline = 'forwarded')
            AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.transaction_id = transactions.id AND d.kind = ?)
            ORDER BY created_at, rowid LIMIT ?
            """, [.integer(since)] + condition.values + [.text(kind), .integer(Int64(limit))]
        ) { (row) throws(LedgerError) in row.text(0) ?? "" }
    }

    private static func due(
        _ kind: String, at now: Int64, horizon: Int64, limit: Int, on connection: SQLiteConnection
    ) throws(LedgerError) -> [DeliveryRecord] {
        try deliveries(
            "WHERE kind = ? AND due_at IS NOT NULL AND (due_at <= ? OR due_at > ?) ORDER BY due_at, rowid LIMIT ?",
            [.text(kind), .integer(now), .integer(horizon), .integer(Int64(limit))], on: connection)
    }

    private static func claim(
        _ delivery: DeliveryRecord, at now: Int64, until: Int64, on connection: SQLiteConnection
    ) throws(LedgerError) {
        try connection.run(
            "UPDATE deliveries SET due_at = ?, updated_at = ? WHERE transaction_id = ? AND kind = ?",
            [.integer(until), .integer(now), .text(delivery.transactionID), .text(delivery.kind)])
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
