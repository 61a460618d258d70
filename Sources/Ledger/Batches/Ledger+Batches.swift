extension Ledger {
    /// Numbers a batch, makes everything that belongs to it its member, and counts it, in one commit. A batch of this
    /// currency that was opened before and not ended is returned as it is.
    ///
    /// - Parameters:
    ///   - currency: ISO 4217 numeric code.
    ///   - isForced: what has no end yet is left out instead of standing in the way.
    ///   - at: unix milliseconds.
    /// - Throws: as `begin`; `invalid` when a sum has more than sixteen digits.
    public nonisolated func openBatch(
        currency: UInt16, rule: BatchRule, isForced: Bool, at: Int64, durability: Durability = .flushed
    ) async throws(LedgerError) -> BatchOpening {
        try await write(durability) { (connection) throws(LedgerError) in
            let unclosed = try Self.batches(
                "WHERE state <> 'closed' AND currency = ?", [.integer(Int64(currency))], on: connection
            ).first
            if var unclosed, unclosed.state == .closing {
                if isForced, !unclosed.isForced {
                    try connection.run(
                        "UPDATE batches SET forced = 1 WHERE batch = ?", [.integer(unclosed.number)])
                    unclosed.isForced = true
                }
                return .resumed(unclosed)
            }
            if !isForced {
                let obstacles = try Self.obstacles(rule, currency, on: connection)
                guard obstacles.isEmpty else { return .blocked(obstacles) }
            }
            let members = Self.within(currency, rule.members)
            guard
                try connection.integer("SELECT 1 FROM transactions WHERE \(members.sql) LIMIT 1", members.values) != nil
            else { return .nothing }
            let next = try Self.lastBatch(on: connection) + 1
            let number = unclosed?.number ?? next
            try connection.run("DELETE FROM batch_totals WHERE batch = ?", [.integer(number)])
            try connection.run(
                """
                INSERT OR REPLACE INTO batches (batch, currency, state, opened_at, forced) VALUES (?, ?, 'closing', ?, ?)
                """,
                [.integer(number), .integer(Int64(currency)), .integer(at), .integer(isForced ? 1 : 0)])
            try connection.run(
                "UPDATE transactions SET batch = ? WHERE \(members.sql)", [.integer(number)] + members.values)
            try connection.run(
                "INSERT INTO batch_totals (batch, kind, card_brand, count, amount, tip) SELECT batch, "
                    + "\(Self.counting) FROM transactions WHERE batch = ? GROUP BY kind, 3", [.integer(number)])
            guard let batch = try Self.batch(number, on: connection) else { throw Self.noBatch(number) }
            return .opened(batch)
        }
    }

    /// The host has other totals and has not closed the batch: its members are free again, and the next batch gets its
    /// number. What was counted, and what the host said, stays until then.
    ///
    /// - Throws: `conflict` when it is not closing, else as `begin`.
    public nonisolated func releaseBatch(
        _ number: Int64, hostTotals: BatchSums?, durability: Durability = .flushed
    ) async throws(LedgerError) -> BatchRecord {
        try await write(durability) { (connection) throws(LedgerError) in
            try Self.expectClosing(number, on: connection)
            try Self.end(number, "differs", closedAt: nil, .differs, hostTotals, on: connection)
            try connection.run("UPDATE transactions SET batch = NULL WHERE batch = ?", [.integer(number)])
            guard let batch = try Self.batch(number, on: connection) else { throw Self.noBatch(number) }
            return batch
        }
    }

    /// The host has closed another batch under this number before, for example of a ledger that was lost: the number is
    /// used up by an empty batch, and its members are free again.
    ///
    /// - Parameter at: unix milliseconds.
    /// - Throws: `conflict` when it is not closing, else as `begin`.
    public nonisolated func passOverBatch(
        _ number: Int64, at: Int64, durability: Durability = .flushed
    ) async throws(LedgerError) {
        try await write(durability) { (connection) throws(LedgerError) in
            try Self.expectClosing(number, on: connection)
            // Without totals: it says nothing about what both sides have counted.
            try Self.end(number, "closed", closedAt: at, .differs, nil, on: connection)
            try connection.run("DELETE FROM batch_totals WHERE batch = ?", [.integer(number)])
            try connection.run("UPDATE transactions SET batch = NULL WHERE batch = ?", [.integer(number)])
        }
    }

    /// Closes a batch for good, and moves its members on, each with its line in the journal, in one commit.
    ///
    /// - Parameters:
    ///   - states: a member in one of these moves to `next`; the others stay as they are, with a remark.
    ///   - at: unix milliseconds.
    /// - Throws: `conflict` when it is not closing, else as `begin`.
    public nonisolated func closeBatch(
        _ number: Int64, moving states: Set<StateName>, to next: StateName, hostAnswer: BatchRecord.HostAnswer,
        hostTotals: BatchSums?, at: Int64, durability: Durability = .flushed
    ) async throws(LedgerError) -> BatchRecord {
        let moved = Condition.state(in: states)
        return try await write(durability) { (connection) throws(LedgerError) in
            try Self.expectClosing(number, on: connection)
            try Self.end(number, "closed", closedAt: at, hostAnswer, hostTotals, on: connection)
            try connection.run(
                """
                INSERT INTO journal (transaction_id, at, from_state, to_state, detail)
                SELECT id, ?, state, CASE WHEN \(moved.sql) THEN ? ELSE state END, ?
                FROM transactions WHERE batch = ? ORDER BY rowid
                """,
                [.integer(at)] + moved.values
                    + [.text(next.rawValue), .text("batch \(number)"), .integer(number)])
            try connection.run(
                "UPDATE transactions SET state = ?, updated_at = ? WHERE batch = ? AND \(moved.sql)",
                [.text(next.rawValue), .integer(at), .integer(number)] + moved.values)
            guard let batch = try Self.batch(number, on: connection) else { throw Self.noBatch(number) }
            return batch
        }
    }
}

extension Ledger {
    /// Kind, brand, count, and the sums without and of the tips. Of a part that was approved the goods come before the
    /// tip.
    static let counting = """
        kind, coalesce(card_brand, ''), count(*),
        sum(min(amount, coalesce(approved_amount, amount + tip))),
        sum(max(coalesce(approved_amount, amount + tip) - amount, 0))
        """

    static func within(_ currency: UInt16, _ condition: Condition) -> Condition {
        Condition.all([condition, Condition(sql: "currency = ?", values: [.integer(Int64(currency))])])
    }

    static func obstacles(
        _ rule: BatchRule, _ currency: UInt16?, on connection: SQLiteConnection
    ) throws(LedgerError) -> [TransactionRecord] {
        let condition = currency.map { within($0, rule.obstacles) } ?? rule.obstacles
        return try records(
            "WHERE \(condition.sql) ORDER BY rowid LIMIT ?",
            condition.values + [.integer(Int64(largestAnswer))], on: connection)
    }

    static func lastBatch(on connection: SQLiteConnection) throws(LedgerError) -> Int64 {
        try connection.integer(
            "SELECT max(batch) FROM (SELECT max(batch) AS batch FROM batches "
                + "UNION ALL SELECT max(batch) FROM transactions WHERE batch IS NOT NULL)") ?? 0
    }

    private static func expectClosing(_ number: Int64, on connection: SQLiteConnection) throws(LedgerError) {
        guard let batch = try batch(number, on: connection) else { throw noBatch(number) }
        guard batch.state == .closing else {
            throw .conflict("batch \(number)", current: StateName(rawValue: batch.state.rawValue))
        }
    }

    private static func end(
        _ number: Int64, _ state: String, closedAt: Int64?, _ answer: BatchRecord.HostAnswer, _ host: BatchSums?,
        on connection: SQLiteConnection
    ) throws(LedgerError) {
        try connection.run(
            """
            UPDATE batches SET state = ?, closed_at = ?, host_answer = ?, host_sales = ?, host_sales_amount = ?,
            host_refunds = ?, host_refunds_amount = ? WHERE batch = ?
            """,
            [
                .text(state), .integer(closedAt), .text(answer.rawValue), .integer(host.map { Int64($0.sales) }),
                .integer(host?.salesAmount), .integer(host.map { Int64($0.refunds) }), .integer(host?.refundsAmount),
                .integer(number),
            ])
    }

    private static func noBatch(_ number: Int64) -> LedgerError { .notFound("batch \(number)") }
}
