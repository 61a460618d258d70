extension Ledger {
    /// Writes a new sale and its journal: an entry for its first state, and for each that it moves on to at once.
    ///
    /// - Parameters:
    ///   - rule: whether the identifier may have been used before. The check and the write cannot be separated, not even
    ///     by another process: of many equal calls exactly one begins a transaction.
    ///   - at: unix milliseconds.
    /// - Returns: with the rule `free` always `begun`.
    /// - Throws: `duplicate` (id, attempt, or identifier with another request), `invalid`, `notWritable`, `diskFull`,
    ///   `busy`, `corrupt`, `closed`, `sqlite`.
    @discardableResult
    public nonisolated func begin(
        _ new: NewTransaction, identifier rule: IdentifierRule = .free, at: Int64, durability: Durability = .flushed
    ) async throws(LedgerError) -> Beginning {
        try await write(durability) { (connection) throws(LedgerError) in
            if let earlier = try Self.repeated(new, rule, on: connection) { return .repeated(earlier) }
            return .begun(try Self.insert(new, kind: .sale, originalID: nil, rule, at: at, on: connection))
        }
    }

    /// Writes a new refund and its first journal entry, if the refunds of the same sale leave room for it. Check and
    /// write cannot be separated, not even by another process. Amounts count with their tips. A sale with a plan of
    /// recovery is to be taken back as a whole (`beginReturn`), and is not refunded.
    ///
    /// A refund that is to be a void (`returnedAs`) becomes an ordinary one when the sale belongs to a batch by now, or is
    /// not returned whole: the record says which.
    ///
    /// - Parameters:
    ///   - countedStates: a refund in one of these states uses up part of the limit. A refund that may still succeed
    ///     must count.
    ///   - originalStates: the states in which the sale can be refunded.
    ///   - limitMinorUnits: what can be refunded in all.
    ///   - rule: as with `begin`. A repetition is told before anything else is checked.
    ///   - at: unix milliseconds.
    /// - Throws: `notFound`, `conflict` and `planned` (the sale), `limitExceeded`, else as `begin`.
    @discardableResult
    public nonisolated func beginRefund(
        _ new: NewTransaction, ofOriginal originalID: String, countedStates: Set<StateName>,
        originalStates: Set<StateName>, limitMinorUnits: Int64, identifier rule: IdentifierRule = .free, at: Int64,
        durability: Durability = .flushed
    ) async throws(LedgerError) -> Beginning {
        try await write(durability) { (connection) throws(LedgerError) in
            if let earlier = try Self.repeated(new, rule, on: connection) { return .repeated(earlier) }
            try Self.refuseDuplicates(of: new, on: connection)
            guard let original = try Self.record(originalID, on: connection), original.kind == .sale else {
                throw .notFound(originalID)
            }
            guard originalStates.contains(original.state) else {
                throw .conflict(originalID, current: original.state)
            }
            guard original.resolveAt == nil else { throw .planned(originalID) }
            let counted = try Self.refunded(originalID, countedStates: countedStates, on: connection)
            let (amount, amountOverflow) = new.amount.addingReportingOverflow(new.tip)
            let (total, totalOverflow) = counted.addingReportingOverflow(amount)
            guard !amountOverflow, !totalOverflow, total <= limitMinorUnits else {
                throw .limitExceeded(alreadyCounted: counted)
            }
            var new = new
            if new.returnedAs == .void, original.batch != nil || counted != 0 || amount != limitMinorUnits {
                new.returnedAs = .refund
            }
            return .begun(try Self.insert(new, kind: .refund, originalID: originalID, rule, at: at, on: connection))
        }
    }
}

extension Ledger {
    /// Plans that a whole sale is taken back, if none of it was refunded or is being refunded. Check and write cannot
    /// be separated, not even by another process: of this and `beginRefund` on the same sale only one succeeds.
    ///
    /// - Parameters:
    ///   - step: of the sale, with a plan of recovery.
    ///   - countedStates: a refund in one of these states stands in the way.
    ///   - at: unix milliseconds.
    /// - Throws: `limitExceeded` when a refund stands in the way, else as `advance`.
    public nonisolated func beginReturn(
        _ step: Transition, countedStates: Set<StateName>, at: Int64, durability: Durability = .flushed
    ) async throws(LedgerError) -> TransactionRecord {
        try await write(durability) { (connection) throws(LedgerError) in
            let states = Condition.state(in: countedStates)
            let refunds = try connection.integer(
                "SELECT count(*) FROM transactions WHERE original_id = ? AND \(states.sql)",
                [.text(step.id)] + states.values)
            guard refunds ?? 0 == 0 else {
                throw .limitExceeded(
                    alreadyCounted: try Self.refunded(step.id, countedStates: countedStates, on: connection))
            }
            return try Self.apply(step, at: at, on: connection)
        }
    }

    /// The transaction of an earlier, equal request; nil when this is the first.
    private static func repeated(
        _ new: NewTransaction, _ rule: IdentifierRule, on connection: SQLiteConnection
    ) throws(LedgerError) -> TransactionRecord? {
        guard case .once(let scope, let digest) = rule, let identifier = new.identifier else { return nil }
        guard let earlier = try onlyOne(ofIdentifier: identifier, scope: scope, on: connection) else { return nil }
        guard earlier.requestDigest == digest else { throw .duplicate("identifier", existing: earlier.id) }
        return earlier
    }

    private static func refuseDuplicates(
        of new: NewTransaction, on connection: SQLiteConnection
    ) throws(LedgerError) {
        let existing = try connection.text("SELECT id FROM transactions WHERE id = ?", [.text(new.id)])
        if let existing { throw .duplicate("id", existing: existing) }
        if let attempt = new.attemptID { try refuseAttempt(attempt, usedByOtherThan: new.id, on: connection) }
    }

    private static func insert(
        _ new: NewTransaction, kind: TransactionKind, originalID: String?, _ rule: IdentifierRule, at: Int64,
        on connection: SQLiteConnection
    ) throws(LedgerError) -> TransactionRecord {
        do throws(LedgerError) {
            try connection.run(insertion, new.values(kind: kind, originalID: originalID, rule: rule, at: at))
        } catch  where error.code == .invalid {
            // The indexes refuse what is there already; only then is it looked for.
            try refuseDuplicates(of: new, on: connection)
            throw error
        }
        var state: StateName?
        for next in [new.state] + new.next {
            try append(new.id, from: state, to: next, detail: nil, at: at, on: connection)
            state = next
        }
        return TransactionRecord(new, kind: kind, originalID: originalID, rule, at: at)
    }

    private static let insertion = {
        let columns = NewTransaction.columns.map(\.name).joined(separator: ", ")
        let places = NewTransaction.columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO transactions (\(columns)) VALUES (\(places))"
    }()
}
