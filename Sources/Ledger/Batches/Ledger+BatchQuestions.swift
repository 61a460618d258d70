extension Ledger {
    /// The highest number of a settlement batch; 0 before the first.
    public func lastBatch() throws(LedgerError) -> Int64 {
        try Self.lastBatch(on: connected())
    }

    /// - Throws: `notFound`; as all questions: `corrupt`, `busy`, `closed`, `sqlite`.
    public func batch(_ number: Int64) throws(LedgerError) -> BatchRecord {
        guard let batch = try Self.batch(number, on: connected()) else { throw .notFound("batch \(number)") }
        return batch
    }

    /// The newest first.
    ///
    /// - Parameters:
    ///   - states: only these; nil for all.
    ///   - limit: 1 ... `largestAnswer` rows; anything else is taken to the nearer end.
    public nonisolated func batches(
        states: Set<BatchRecord.State>? = nil, limit: Int = Ledger.largestAnswer
    ) async throws(LedgerError) -> [BatchRecord] {
        let condition = Condition.all([
            states.map { Condition.state(in: Set($0.map { StateName(rawValue: $0.rawValue) })) }
        ])
        let rows = Int64(min(max(limit, 1), Self.largestAnswer))
        return try await ask { (connection) throws(LedgerError) in
            try Self.batches(
                "WHERE \(condition.sql) ORDER BY batch DESC LIMIT ?", condition.values + [.integer(rows)],
                on: connection)
        }
    }

    /// The members of a batch, the oldest first.
    public nonisolated func members(ofBatch number: Int64) async throws(LedgerError) -> [TransactionRecord] {
        try await ask { (connection) throws(LedgerError) in
            try Self.records("WHERE batch = ? ORDER BY rowid", [.integer(number)], on: connection)
        }
    }

    /// The currencies in which there is something to settle, something in the way of it, or a batch that was not ended.
    public nonisolated func batchCurrencies(_ rule: BatchRule) async throws(LedgerError) -> [UInt16] {
        let (members, obstacles) = (rule.members, rule.obstacles)
        return try await ask { (connection) throws(LedgerError) in
            try connection.rows(
                """
                SELECT currency FROM transactions WHERE \(members.sql)
                UNION SELECT currency FROM transactions WHERE \(obstacles.sql)
                UNION SELECT currency FROM batches WHERE state = 'closing' ORDER BY 1
                """, members.values + obstacles.values
            ) { (row) throws(LedgerError) in try Self.currency(row.integer(0)) }
        }
    }

    /// What the next batch of this currency would hold, by card brand and kind.
    public nonisolated func openTotals(
        currency: UInt16, rule: BatchRule
    ) async throws(LedgerError) -> [BatchTotal] {
        let members = Self.within(currency, rule.members)
        return try await ask { (connection) throws(LedgerError) in
            try connection.rows(
                "SELECT \(Self.counting) FROM transactions WHERE \(members.sql) GROUP BY 2, 1 ORDER BY 2, 1 DESC",
                members.values
            ) { (row) throws(LedgerError) in try Self.total(row, from: 0) }
        }
    }

    /// What stands in the way of the next batch, the oldest first.
    ///
    /// - Parameter currency: nil for all.
    public nonisolated func obstacles(
        to rule: BatchRule, currency: UInt16? = nil
    ) async throws(LedgerError) -> [TransactionRecord] {
        try await ask { (connection) throws(LedgerError) in
            try Self.obstacles(rule, currency, on: connection)
        }
    }

    /// By how much the host has counted more than this ledger, in all closed batches whose totals it told.
    public nonisolated func batchDifference(currency: UInt16) async throws(LedgerError) -> BatchSums {
        try await ask { (connection) throws(LedgerError) in
            let told = "state = 'closed' AND host_sales IS NOT NULL AND currency = ?"
            let ours = try connection.rows(
                """
                SELECT kind, '', sum(count), sum(amount), sum(tip) FROM batch_totals
                WHERE batch IN (SELECT batch FROM batches WHERE \(told)) GROUP BY kind
                """, [.integer(Int64(currency))]
            ) { (row) throws(LedgerError) in try Self.total(row, from: 0) }
            let host = try connection.rows(
                """
                SELECT sum(host_sales), sum(host_sales_amount), sum(host_refunds), sum(host_refunds_amount)
                FROM batches WHERE \(told)
                """, [.integer(Int64(currency))]
            ) { (row) throws(LedgerError) in Self.sums(row, from: 0) ?? BatchSums() }
            return (host.first ?? BatchSums()) - BatchSums(ours)
        }
    }
}

extension Ledger {
    static func batch(_ number: Int64, on connection: SQLiteConnection) throws(LedgerError) -> BatchRecord? {
        try batches("WHERE batch = ?", [.integer(number)], on: connection).first
    }

    static func batches(
        _ clauses: String, _ values: [SQLiteValue], on connection: SQLiteConnection
    ) throws(LedgerError) -> [BatchRecord] {
        var found = try connection.rows(
            """
            SELECT batch, currency, state, opened_at, closed_at, forced, host_answer, host_sales, host_sales_amount,
            host_refunds, host_refunds_amount FROM batches \(clauses)
            """, values
        ) { (row) throws(LedgerError) in
            guard let number = row.integer(0), let state = row.text(2).flatMap(BatchRecord.State.init),
                let openedAt = row.integer(3), let forced = row.integer(5)
            else { throw .corrupt("a row of the table batches does not hold what it must") }
            return BatchRecord(
                number: number, currency: try currency(row.integer(1)), state: state, openedAt: openedAt,
                closedAt: row.integer(4), isForced: forced != 0,
                hostAnswer: row.text(6).flatMap(BatchRecord.HostAnswer.init), hostTotals: sums(row, from: 7),
                totals: [])
        }
        for index in found.indices {
            found[index].totals = try connection.rows(
                """
                SELECT kind, card_brand, count, amount, tip FROM batch_totals WHERE batch = ?
                ORDER BY card_brand, kind DESC
                """, [.integer(found[index].number)]
            ) { (row) throws(LedgerError) in try total(row, from: 0) }
        }
        return found
    }

    private static func total(_ row: SQLiteRow, from first: Int32) throws(LedgerError) -> BatchTotal {
        guard let kind = row.text(first).flatMap(TransactionKind.init(rawValue:)), let brand = row.text(first + 1),
            let count = row.integer(first + 2).flatMap(Int.init(exactly:)), let amount = row.integer(first + 3),
            let tip = row.integer(first + 4)
        else { throw .corrupt("a row of the table batch_totals does not hold what it must") }
        return BatchTotal(kind: kind, cardBrand: brand, count: count, amount: amount, tip: tip)
    }

    /// Nil when the host told none.
    private static func sums(_ row: SQLiteRow, from first: Int32) -> BatchSums? {
        guard let sales = row.integer(first).flatMap(Int.init(exactly:)), let salesAmount = row.integer(first + 1),
            let refunds = row.integer(first + 2).flatMap(Int.init(exactly:)),
            let refundsAmount = row.integer(first + 3)
        else { return nil }
        return BatchSums(sales: sales, salesAmount: salesAmount, refunds: refunds, refundsAmount: refundsAmount)
    }

    private static func currency(_ number: Int64?) throws(LedgerError) -> UInt16 {
        guard let code = number.flatMap(UInt16.init(exactly:)) else {
            throw .corrupt("a currency is not a number of three digits")
        }
        return code
    }
}
