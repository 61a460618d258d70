extension Ledger {
    /// Ends a refund as approved, and moves its sale to the state in which that leaves it, in one commit: what other
    /// refunds have returned cannot change between the question and the write. Amounts count with their tips.
    ///
    /// - Parameters:
    ///   - refund: the refund's own step; `to` is one of `approvedStates`.
    ///   - approvedStates: a refund in one of these states has returned its amount.
    ///   - saleStates: the states in which the sale is expected.
    ///   - complete: the sale's next state when its refunds return all of it.
    ///   - partial: the sale's next state otherwise.
    ///   - at: unix milliseconds.
    /// - Returns: the sale.
    /// - Throws: `notFound` and `conflict` (the refund or its sale), else as
    ///   `advance(_:from:to:change:at:detail:)`.
    @discardableResult
    public nonisolated func completeRefund(
        _ refund: Transition, approvedStates: Set<StateName>, saleStates: Set<StateName>, complete: StateName,
        partial: StateName, at: Int64, durability: Durability = .flushed
    ) async throws(LedgerError) -> TransactionRecord {
        try await write(durability) { (connection) throws(LedgerError) in
            guard let saleID = try Self.apply(refund, at: at, on: connection).originalID,
                let sale = try Self.record(saleID, on: connection)
            else { throw .notFound(refund.id) }
            let returned = try Self.refunded(saleID, countedStates: approvedStates, on: connection)
            let next = returned >= sale.amount + sale.tip ? complete : partial
            let step = Transition(saleID, from: saleStates, to: next, detail: "refund \(refund.id)")
            return try Self.apply(step, at: at, on: connection)
        }
    }

    /// Moves one transaction to another state, with what was learnt, if it is in one of the states `from`.
    ///
    /// - Parameters:
    ///   - at: unix milliseconds.
    ///   - detail: a short remark for the journal, without card data.
    ///   - recovery: what becomes of the plan of recovery, in the same commit.
    /// - Throws: `notFound`, `conflict(current:)`, `duplicate` (attempt), `invalid`, `notWritable`, `diskFull`, `busy`,
    ///   `corrupt`, `closed`, `sqlite`.
    @discardableResult
    public nonisolated func advance(
        _ id: String, from: Set<StateName>, to: StateName, change: TransactionChange = TransactionChange(), at: Int64,
        detail: String? = nil, recovery: RecoveryPlan = .keep, durability: Durability = .flushed
    ) async throws(LedgerError) -> TransactionRecord {
        let transition = Transition(id, from: from, to: to, change: change, detail: detail, recovery: recovery)
        return try await write(durability) { (connection) throws(LedgerError) in
            try Self.apply(transition, at: at, on: connection)
        }
    }

    /// Makes all the steps in one commit, in order, or none of them. Use it where several transactions change together,
    /// such as a settlement batch, or where one makes more than one step.
    ///
    /// - Throws: as `advance(_:from:to:change:at:detail:)`.
    @discardableResult
    public nonisolated func advance(
        _ transitions: [Transition], at: Int64, durability: Durability = .flushed
    ) async throws(LedgerError) -> [TransactionRecord] {
        try await write(durability) { (connection) throws(LedgerError) in
            var records: [TransactionRecord] = []
            for transition in transitions {
                records.append(try Self.apply(transition, at: at, on: connection))
            }
            return records
        }
    }

    /// As `advance`, for a caller that does not need to know what the transactions are then.
    public nonisolated func perform(
        _ steps: [Transition], at: Int64, durability: Durability = .flushed
    ) async throws(LedgerError) {
        try await write(durability) { (connection) throws(LedgerError) in
            try Self.apply(steps, at: at, on: connection)
        }
    }

    /// Adds a remark to the journal of a transaction, whose state stays as it is: for example, that a second completion
    /// came and was dropped.
    ///
    /// - Throws: `notFound`, else as `begin`.
    public nonisolated func note(
        _ id: String, detail: String, at: Int64, durability: Durability = .flushed
    ) async throws(LedgerError) {
        try await write(durability) { (connection) throws(LedgerError) in
            guard let record = try Self.record(id, on: connection) else { throw .notFound(id) }
            try Self.append(id, from: record.state, to: record.state, detail: detail, at: at, on: connection)
        }
    }
}

extension Ledger {
    static func refuseAttempt(
        _ attempt: String, usedByOtherThan id: String, on connection: SQLiteConnection
    ) throws(LedgerError) {
        let existing = try connection.text(
            "SELECT id FROM transactions WHERE attempt_id = ? AND id <> ?", [.text(attempt), .text(id)])
        if let existing { throw .duplicate("attempt", existing: existing) }
    }

    /// All the steps, in order. Steps of one transaction that follow one another share one write of its row.
    private static func apply(
        _ steps: [Transition], at: Int64, on connection: SQLiteConnection
    ) throws(LedgerError) {
        var update: RowUpdate?
        for step in steps {
            let time = step.at ?? at
            if let earlier = update, earlier.id != step.id {
                try earlier.write(on: connection)
                update = nil
            }
            var current = if let update { update } else { try RowUpdate(step.id, at: time, on: connection) }
            // Two of them would make the next line copy what was gathered.
            update = nil
            try current.take(step, at: time, on: connection)
            update = current
        }
        try update?.write(on: connection)
    }

    /// One step. Returns the transaction as it is then.
    static func apply(
        _ step: Transition, at: Int64, on connection: SQLiteConnection
    ) throws(LedgerError) -> TransactionRecord {
        try apply([step], at: at, on: connection)
        guard let record = try record(step.id, on: connection) else { throw .notFound(step.id) }
        return record
    }

    static func append(
        _ id: String, from: StateName?, to: StateName, detail: String?, at: Int64, on connection: SQLiteConnection
    ) throws(LedgerError) {
        try connection.run(
            "INSERT INTO journal (transaction_id, at, from_state, to_state, detail) VALUES (?, ?, ?, ?, ?)",
            [.text(id), .integer(at), .text(from?.rawValue), .text(to.rawValue), .text(detail)])
    }

    static func refunded(
        _ originalID: String, countedStates: Set<StateName>, on connection: SQLiteConnection
    ) throws(LedgerError) -> Int64 {
        let states = Condition.state(in: countedStates)
        let sum = try connection.integer(
            "SELECT coalesce(sum(amount + tip), 0) FROM transactions WHERE original_id = ? AND \(states.sql)",
            [.text(originalID)] + states.values)
        return sum ?? 0
    }
}
