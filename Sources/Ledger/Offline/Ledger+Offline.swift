extension Ledger {
    /// Holds room for one approval without the host, before the card is asked for it. Question and write cannot be
    /// separated, not even by another process: however many ask at the same moment, the caps hold. A transaction that has
    /// its room already keeps it.
    ///
    /// The room is given back by a step with `StoredPaymentStep.release`, and taken by one with `store`.
    ///
    /// - Parameters:
    ///   - amount: minor units, with the tip.
    ///   - at: unix milliseconds.
    /// - Returns: the cap that leaves no room; nil when it is reserved.
    /// - Throws: `notFound`, else as `begin`.
    public nonisolated func reserveOffline(
        _ id: String, amount: Int64, currency: UInt16, within caps: OfflineCaps, at: Int64,
        durability: Durability = .written
    ) async throws(LedgerError) -> OfflineCap? {
        try await write(durability) { (connection) throws(LedgerError) in
            guard let record = try Self.record(id, on: connection) else { throw .notFound(id) }
            if try Self.stored(id, on: connection) != nil { return nil }
            if let cap = try Self.cap(amount, currency, caps, at, on: connection) { return cap }
            try connection.run(
                """
                INSERT INTO stored_payments (transaction_id, state, amount, currency, stored_at, due_at)
                VALUES (?, 'reserved', ?, ?, ?, ?)
                """, [.text(id), .integer(amount), .integer(Int64(currency)), .integer(at), .integer(at)])
            try Self.append(
                id, from: record.state, to: record.state, detail: "room for an offline approval", at: at,
                on: connection)
            return nil
        }
    }

    private static func cap(
        _ amount: Int64, _ currency: UInt16, _ caps: OfflineCaps, _ now: Int64, on connection: SQLiteConnection
    ) throws(LedgerError) -> OfflineCap? {
        if amount > caps.perSale { return .perSale }
        let held = try connection.rows(
            "SELECT count(*), coalesce(sum(amount), 0), coalesce(min(stored_at), ?) FROM stored_payments",
            [.integer(now)]
        ) { (row) throws(LedgerError) in (row.integer(0) ?? 0, row.integer(1) ?? 0, row.integer(2) ?? now) }
        guard let (count, sum, oldest) = held.first else { throw .corrupt("the stored payments cannot be counted") }
        if count >= Int64(caps.count) { return .count }
        let (total, overflow) = sum.addingReportingOverflow(amount)
        if overflow || total > caps.total { return .total }
        let (age, isFuture) = now.subtractingReportingOverflow(oldest)
        return !isFuture && age > caps.longestWait ? .wait : nil
    }

    /// The stored payments, the longest overdue first, `largestAnswer` at most; without those that are only reserved.
    public nonisolated func storedPayments() async throws(LedgerError) -> [StoredPayment] {
        try await ask { (connection) throws(LedgerError) in
            try Self.storedPayments(
                "WHERE state = 'stored' ORDER BY due_at, rowid LIMIT ?", [.integer(Int64(Self.largestAnswer))],
                on: connection)
        }
    }

    /// The sales that were approved offline and have come this far, the newest first, `largestAnswer` at most.
    public nonisolated func offlineSales(_ state: OfflineState) async throws(LedgerError) -> [TransactionRecord] {
        try await ask { (connection) throws(LedgerError) in
            try Self.records(
                "WHERE offline = ? ORDER BY rowid DESC LIMIT ?",
                [.text(state.rawValue), .integer(Int64(Self.largestAnswer))], on: connection)
        }
    }

    /// The stored payment of this transaction; nil when there is none, or only room for one.
    public func storedPayment(_ id: String) throws(LedgerError) -> StoredPayment? {
        try Self.storedPayments(
            "WHERE transaction_id = ? AND state = 'stored'", [.text(id)], on: connected()
        ).first
    }

    /// How many approvals the host has not confirmed yet, and their sum.
    public func storedTotal() throws(LedgerError) -> StoredTotal {
        let totals = try connected().rows(
            "SELECT count(*), coalesce(sum(amount), 0) FROM stored_payments WHERE state = 'stored'"
        ) { (row) throws(LedgerError) in
            StoredTotal(count: Int(clamping: row.integer(0) ?? 0), amount: row.integer(1) ?? 0)
        }
        return totals.first ?? StoredTotal(count: 0, amount: 0)
    }

    private static func storedPayments(
        _ clauses: String, _ values: [SQLiteValue], on connection: SQLiteConnection
    ) throws(LedgerError) -> [StoredPayment] {
        try connection.rows(
            """
            SELECT transaction_id, amount, currency, stored_at, sealed, may_have_left, due_at, tries
            FROM stored_payments \(clauses)
            """, values
        ) { (row) throws(LedgerError) in
            guard let id = row.text(0), let amount = row.integer(1),
                let currency = row.integer(2).flatMap(UInt16.init(exactly:)), let storedAt = row.integer(3),
                let sealed = row.bytes(4), let mayHaveLeft = row.integer(5), let dueAt = row.integer(6),
                let tries = row.integer(7)
            else { throw .corrupt("a row of the table stored_payments does not hold what it must") }
            return StoredPayment(
                transactionID: id, amount: amount, currency: currency, storedAt: storedAt, sealed: sealed,
                mayHaveLeft: mayHaveLeft != 0, dueAt: dueAt, tries: Int(clamping: tries))
        }
    }
}

extension Ledger {
    /// `reserved` or `stored`; nil for neither.
    static func stored(_ id: String, on connection: SQLiteConnection) throws(LedgerError) -> String? {
        try connection.text("SELECT state FROM stored_payments WHERE transaction_id = ?", [.text(id)])
    }

    /// The part of a step that is about the stored payment of its transaction, now in `state`.
    static func apply(
        _ step: StoredPaymentStep, of id: String, in state: StateName, at: Int64, on connection: SQLiteConnection
    ) throws(LedgerError) {
        switch step {
        case .keep: break
        case .release:
            try connection.run(
                "DELETE FROM stored_payments WHERE transaction_id = ? AND state = 'reserved'", [.text(id)])
        case .store(let sealed):
            guard try stored(id, on: connection) == "reserved" else { throw .conflict(id, current: state) }
            try connection.run(
                """
                UPDATE stored_payments SET state = 'stored', sealed = ?, stored_at = ?, due_at = ?
                WHERE transaction_id = ?
                """, [.bytes(sealed), .integer(at), .integer(at), .text(id)])
        case .attempt(let until):
            guard try stored(id, on: connection) == "stored" else { throw .conflict(id, current: state) }
            try connection.run(
                """
                UPDATE stored_payments SET tries = min(tries, 1000000) + 1, may_have_left = 1, due_at = ?
                WHERE transaction_id = ?
                """, [.integer(until), .text(id)])
        case .retry(let dueAt, let mayHaveLeft):
            guard try stored(id, on: connection) == "stored" else { throw .conflict(id, current: state) }
            try connection.run(
                "UPDATE stored_payments SET due_at = ?, may_have_left = ? WHERE transaction_id = ?",
                [.integer(dueAt), .integer(mayHaveLeft ? 1 : 0), .text(id)])
        case .remove(let unsent):
            let left = try connection.integer(
                "SELECT may_have_left FROM stored_payments WHERE transaction_id = ? AND state = 'stored'", [.text(id)])
            guard let left, left == 0 || !unsent else { throw .conflict(id, current: state) }
            // Zeros in its place first; what the delete leaves is overwritten as well (secure_delete).
            try connection.run(
                "UPDATE stored_payments SET sealed = zeroblob(length(sealed)) WHERE transaction_id = ?", [.text(id)])
            try connection.run("DELETE FROM stored_payments WHERE transaction_id = ?", [.text(id)])
        }
    }
}
