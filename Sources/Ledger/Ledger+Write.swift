extension Ledger {
    /// Writes a new sale and its first journal entry, durably.
    ///
    /// - Parameters:
    ///   - identifier: whether the identifier may have been used before. The check and the write cannot be separated,
    ///     not even by another process: of many equal calls exactly one succeeds.
    ///   - at: unix milliseconds.
    /// - Throws: `duplicate` (id, attempt or identifier), `invalid`, `notWritable`, `diskFull`, `busy`, `corrupt`,
    ///   `closed`, `sqlite`.
    @discardableResult
    public func begin(
        _ new: NewTransaction, identifier rule: IdentifierRule = .free, at: Int64
    ) throws(LedgerError) -> TransactionRecord {
        try write { (connection) throws(LedgerError) in
            try Self.refuseDuplicates(of: new, kind: .sale, rule, on: connection)
            return try Self.insert(new, kind: .sale, originalID: nil, at: at, on: connection)
        }
    }

    /// One commit to the file that lies in the directory. SQLite would go on writing to a file that somebody has taken
    /// away, and what a restart cannot find was never promised.
    private func write<Result>(
        _ body: (SQLiteConnection) throws(LedgerError) -> Result
    ) throws(LedgerError) -> Result {
        let connection = try connected()
        return try connection.immediate { () throws(LedgerError) in
            guard !connection.hasMoved else { throw .notWritable("its file was removed or replaced") }
            return try body(connection)
        }
    }

    /// Writes a new refund and its first journal entry, durably, if the refunds of the same sale leave room for it. Check
    /// and write cannot be separated, not even by another process. Amounts count with their tips.
    ///
    /// - Parameters:
    ///   - countedStates: a refund in one of these states uses up part of the limit. A refund that may still succeed
    ///     must count.
    ///   - originalStates: the states in which the sale can be refunded.
    ///   - limitMinorUnits: what can be refunded in all.
    ///   - at: unix milliseconds.
    /// - Throws: `notFound` and `conflict` (the sale), `limitExceeded`, else as `begin`.
    @discardableResult
    public func beginRefund(
        _ new: NewTransaction, ofOriginal originalID: String, countedStates: Set<StateName>,
        originalStates: Set<StateName>, limitMinorUnits: Int64, identifier rule: IdentifierRule = .free, at: Int64
    ) throws(LedgerError) -> TransactionRecord {
        try write { (connection) throws(LedgerError) in
            try Self.refuseDuplicates(of: new, kind: .refund, rule, on: connection)
            guard let original = try Self.record(originalID, on: connection), original.kind == .sale else {
                throw .notFound(originalID)
            }
            guard originalStates.contains(original.state) else {
                throw .conflict(originalID, current: original.state)
            }
            let counted = try Self.refunded(originalID, countedStates: countedStates, on: connection)
            let (amount, amountOverflow) = new.amount.addingReportingOverflow(new.tip)
            let (total, totalOverflow) = counted.addingReportingOverflow(amount)
            guard !amountOverflow, !totalOverflow, total <= limitMinorUnits else {
                throw .limitExceeded(alreadyCounted: counted)
            }
            return try Self.insert(new, kind: .refund, originalID: originalID, at: at, on: connection)
        }
    }

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
    public func completeRefund(
        _ refund: Transition, approvedStates: Set<StateName>, saleStates: Set<StateName>, complete: StateName,
        partial: StateName, at: Int64
    ) throws(LedgerError) -> TransactionRecord {
        try write { (connection) throws(LedgerError) in
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
    /// - Throws: `notFound`, `conflict(current:)`, `duplicate` (attempt), `invalid`, `notWritable`, `diskFull`, `busy`,
    ///   `corrupt`, `closed`, `sqlite`.
    @discardableResult
    public func advance(
        _ id: String, from: Set<StateName>, to: StateName, change: TransactionChange = TransactionChange(), at: Int64,
        detail: String? = nil
    ) throws(LedgerError) -> TransactionRecord {
        let transition = Transition(id, from: from, to: to, change: change, detail: detail)
        return try write { (connection) throws(LedgerError) in
            try Self.apply(transition, at: at, on: connection)
        }
    }

    /// Makes all the steps in one commit, in order, or none of them. Use it where several transactions change together,
    /// such as a settlement batch, or where one makes more than one step.
    ///
    /// - Throws: as `advance(_:from:to:change:at:detail:)`.
    @discardableResult
    public func advance(_ transitions: [Transition], at: Int64) throws(LedgerError) -> [TransactionRecord] {
        try write { (connection) throws(LedgerError) in
            var records: [TransactionRecord] = []
            for transition in transitions {
                records.append(try Self.apply(transition, at: at, on: connection))
            }
            return records
        }
    }

    /// Adds a remark to the journal of a transaction, whose state stays as it is: for example, that a second completion
    /// came and was dropped.
    ///
    /// - Throws: `notFound`, else as `begin`.
    public func note(_ id: String, detail: String, at: Int64) throws(LedgerError) {
        try write { (connection) throws(LedgerError) in
            guard let record = try Self.record(id, on: connection) else { throw .notFound(id) }
            try Self.append(id, from: record.state, to: record.state, detail: detail, at: at, on: connection)
        }
    }
}

extension Ledger {
    private static func refuseDuplicates(
        of new: NewTransaction, kind: TransactionKind, _ rule: IdentifierRule, on connection: SQLiteConnection
    ) throws(LedgerError) {
        if let existing = try record(new.id, on: connection) { throw .duplicate("id", existing: existing.id) }
        if let attempt = new.attemptID { try refuseAttempt(attempt, usedByOtherThan: new.id, on: connection) }
        guard case .unique(let exceptions) = rule, let identifier = new.identifier else { return }
        let earlier = try records(
            "WHERE identifier = ? AND kind = ? ORDER BY rowid DESC", [.text(identifier), .text(kind.rawValue)],
            on: connection)
        if let existing = earlier.first(where: { !exceptions.contains($0.state) }) {
            throw .duplicate("identifier", existing: existing.id)
        }
    }

    private static func refuseAttempt(
        _ attempt: String, usedByOtherThan id: String, on connection: SQLiteConnection
    ) throws(LedgerError) {
        let existing = try connection.text(
            "SELECT id FROM transactions WHERE attempt_id = ? AND id <> ?", [.text(attempt), .text(id)])
        if let existing { throw .duplicate("attempt", existing: existing) }
    }

    private static func insert(
        _ new: NewTransaction, kind: TransactionKind, originalID: String?, at: Int64, on connection: SQLiteConnection
    ) throws(LedgerError) -> TransactionRecord {
        let values = new.values(kind: kind, originalID: originalID, at: at)
        let columns = values.map(\.column.rawValue).joined(separator: ", ")
        let places = values.map { _ in "?" }.joined(separator: ", ")
        try connection.run("INSERT INTO transactions (\(columns)) VALUES (\(places))", values.map(\.value))
        try append(new.id, from: nil, to: new.state, detail: nil, at: at, on: connection)
        guard let record = try record(new.id, on: connection) else { throw .corrupt("a new row cannot be read") }
        return record
    }

    private static func apply(
        _ transition: Transition, at: Int64, on connection: SQLiteConnection
    ) throws(LedgerError) -> TransactionRecord {
        let id = transition.id
        guard let before = try record(id, on: connection) else { throw .notFound(id) }
        guard transition.from.contains(before.state) else { throw .conflict(id, current: before.state) }
        if let attempt = transition.change.attemptID {
            try refuseAttempt(attempt, usedByOtherThan: id, on: connection)
        }
        let values = transition.change.values
        let changes = values.map { ", \($0.column.rawValue) = coalesce(?, \($0.column.rawValue))" }.joined()
        try connection.run(
            "UPDATE transactions SET state = ?, updated_at = ?\(changes) WHERE id = ?",
            [.text(transition.to.rawValue), .integer(at)] + values.map(\.value) + [.text(id)])
        try append(id, from: before.state, to: transition.to, detail: transition.detail, at: at, on: connection)
        guard let after = try record(id, on: connection) else { throw .corrupt("a changed row cannot be read") }
        return after
    }

    private static func append(
        _ id: String, from: StateName?, to: StateName, detail: String?, at: Int64, on connection: SQLiteConnection
    ) throws(LedgerError) {
        try connection.run(
            "INSERT INTO journal (transaction_id, at, from_state, to_state, detail) VALUES (?, ?, ?, ?, ?)",
            [.text(id), .integer(at), .text(from?.rawValue), .text(to.rawValue), .text(detail)])
    }

    private static func refunded(
        _ originalID: String, countedStates: Set<StateName>, on connection: SQLiteConnection
    ) throws(LedgerError) -> Int64 {
        let states = Condition.state(in: countedStates)
        let sum = try connection.integer(
            "SELECT coalesce(sum(amount + tip), 0) FROM transactions WHERE original_id = ? AND \(states.sql)",
            [.text(originalID)] + states.values)
        return sum ?? 0
    }
}
