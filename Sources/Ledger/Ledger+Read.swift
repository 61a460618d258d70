extension Ledger {
    /// The most rows that one answer has.
    public static let largestAnswer = 10_000

    /// - Throws: `notFound`; as all questions: `corrupt`, `busy`, `closed`, `sqlite`.
    public func transaction(_ id: String) throws(LedgerError) -> TransactionRecord {
        guard let record = try Self.record(id, on: connected()) else { throw .notFound(id) }
        return record
    }

    /// The newest first.
    ///
    /// - Parameters:
    ///   - states: only these; nil for all.
    ///   - kind: only this; nil for both.
    ///   - since: only those created at this time (unix milliseconds) or later.
    ///   - limit: 1 ... `largestAnswer` rows; anything else is taken to the nearer end.
    public nonisolated func transactions(
        states: Set<StateName>? = nil, kind: TransactionKind? = nil, since: Int64? = nil, limit: Int = 100
    ) async throws(LedgerError) -> [TransactionRecord] {
        let condition = Condition.all([
            states.map(Condition.state(in:)),
            kind.map { Condition(sql: "kind = ?", values: [.text($0.rawValue)]) },
            since.map { Condition(sql: "created_at >= ?", values: [.integer($0)]) },
        ])
        let rows = Int64(min(max(limit, 1), Self.largestAnswer))
        return try await ask { (connection) throws(LedgerError) in
            try Self.records(
                "WHERE \(condition.sql) ORDER BY created_at DESC, rowid DESC LIMIT ?",
                condition.values + [.integer(rows)], on: connection)
        }
    }

    /// The refunds of a sale, the oldest first; empty for an id that nobody has.
    public func refunds(of originalID: String) throws(LedgerError) -> [TransactionRecord] {
        try Self.records("WHERE original_id = ? ORDER BY rowid", [.text(originalID)], on: connected())
    }

    /// The transactions with this identifier, the newest first.
    ///
    /// - Parameter scope: only those of this scope; nil for all.
    public nonisolated func byIdentifier(
        _ identifier: String, scope: String? = nil
    ) async throws(LedgerError) -> [TransactionRecord] {
        let condition = Condition.all([
            Condition(sql: "identifier = ?", values: [.text(identifier)]),
            scope.map { Condition(sql: "identifier_scope = ?", values: [.text($0)]) },
        ])
        // Each half has an index of its own.
        let halves = ["NOT NULL", "NULL"].map {
            "SELECT \(TransactionColumn.list), rowid AS position FROM transactions "
                + "WHERE \(condition.sql) AND request_digest IS \($0)"
        }
        return try await ask { (connection) throws(LedgerError) in
            try connection.rows(
                halves.joined(separator: " UNION ALL ") + " ORDER BY position DESC LIMIT ?",
                condition.values + condition.values + [.integer(Int64(Self.largestAnswer))]
            ) { (row) throws(LedgerError) in try TransactionRecord(row: row) }
        }
    }

    /// The transaction that was begun with this identifier and the rule `once`, or nil.
    public nonisolated func onlyOne(
        ofIdentifier identifier: String, scope: String
    ) async throws(LedgerError) -> TransactionRecord? {
        // The first thing that a sale does.
        try await answerSoon { (connection) throws(LedgerError) in
            try Self.onlyOne(ofIdentifier: identifier, scope: scope, on: connection)
        }
    }

    /// The transaction that made this attempt, or nil.
    public func byAttempt(_ attemptID: String) throws(LedgerError) -> TransactionRecord? {
        try Self.records("WHERE attempt_id = ?", [.text(attemptID)], on: connected()).first
    }

    /// The journal of one transaction in the order in which it was written; empty for an id that nobody has.
    public func journal(of id: String) throws(LedgerError) -> [JournalEntry] {
        try connected().rows(
            "SELECT seq, at, from_state, to_state, detail FROM journal WHERE transaction_id = ? ORDER BY seq",
            [.text(id)]
        ) { (row) throws(LedgerError) in
            guard let sequence = row.integer(0), let at = row.integer(1), let to = row.text(3) else {
                throw .corrupt("a row of the table journal does not hold what it must")
            }
            return JournalEntry(
                sequence: sequence, transactionID: id, at: at, from: row.text(2).map(StateName.init(rawValue:)),
                to: StateName(rawValue: to), detail: row.text(4))
        }
    }

    /// Counts and sums by kind, state, card brand and currency, in that order.
    ///
    /// - Parameters:
    ///   - states: only these; nil for all.
    ///   - batch: only this settlement batch.
    ///   - since: only those created at this time (unix milliseconds) or later.
    ///   - before: only those created before this time.
    public nonisolated func totals(
        states: Set<StateName>? = nil, batch: Int64? = nil, since: Int64? = nil, before: Int64? = nil
    ) async throws(LedgerError) -> [LedgerTotal] {
        let condition = Condition.all([
            states.map(Condition.state(in:)),
            batch.map { Condition(sql: "batch = ?", values: [.integer($0)]) },
            since.map { Condition(sql: "created_at >= ?", values: [.integer($0)]) },
            before.map { Condition(sql: "created_at < ?", values: [.integer($0)]) },
        ])
        return try await ask { (connection) throws(LedgerError) in
            try connection.rows(
                """
                SELECT kind, state, card_brand, currency, count(*), sum(amount), sum(tip) FROM transactions
                WHERE \(condition.sql) GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
                """, condition.values
            ) { (row) throws(LedgerError) in try LedgerTotal(row: row) }
        }
    }

    /// Examines every page of the file, whatever its size.
    ///
    /// - Throws: `corrupt`, `busy`, `closed`, `sqlite`.
    public nonisolated func checkIntegrity() async throws(LedgerError) {
        try await ask { (connection) throws(LedgerError) in try LedgerFile.check(connection) }
    }

    /// Every transaction that fits, one after another, without a limit.
    ///
    /// - Parameters:
    ///   - states: only these; nil for all.
    ///   - kind: only this; nil for both.
    ///   - since: only those created at this time (unix milliseconds) or later.
    ///   - before: only those created before this time.
    public func export(
        states: Set<StateName>? = nil, kind: TransactionKind? = nil, since: Int64? = nil, before: Int64? = nil,
        order: LedgerExport.Order = .oldestFirst
    ) throws(LedgerError) -> LedgerExport {
        let condition = Condition.all([
            states.map(Condition.state(in:)),
            kind.map { Condition(sql: "kind = ?", values: [.text($0.rawValue)]) },
            since.map { Condition(sql: "created_at >= ?", values: [.integer($0)]) },
            before.map { Condition(sql: "created_at < ?", values: [.integer($0)]) },
        ])
        return LedgerExport(
            directory: try location(), busyTimeout: busyTimeout, condition: condition, order: order)
    }
}

extension Ledger {
    static func record(_ id: String, on connection: SQLiteConnection) throws(LedgerError) -> TransactionRecord? {
        try connection.rows(selectionByID, [.text(id)]) {
            (row) throws(LedgerError) in try TransactionRecord(row: row)
        }.first
    }

    static func onlyOne(
        ofIdentifier identifier: String, scope: String, on connection: SQLiteConnection
    ) throws(LedgerError) -> TransactionRecord? {
        try connection.rows(selectionByIdentifier, [.text(scope), .text(identifier)]) {
            (row) throws(LedgerError) in try TransactionRecord(row: row)
        }.first
    }

    static func records(
        _ clauses: String, _ values: [SQLiteValue], on connection: SQLiteConnection
    ) throws(LedgerError) -> [TransactionRecord] {
        try connection.rows("SELECT \(TransactionColumn.list) FROM transactions \(clauses)", values) {
            (row) throws(LedgerError) in try TransactionRecord(row: row)
        }
    }

    private static let selectionByID = "SELECT \(TransactionColumn.list) FROM transactions WHERE id = ?"

    private static let selectionByIdentifier = """
        SELECT \(TransactionColumn.list) FROM transactions
        WHERE identifier_scope = ? AND identifier = ? AND request_digest IS NOT NULL
        """
}
