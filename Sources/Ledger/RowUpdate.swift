/// What the steps of one commit make of one transaction. Its row is written once, however many steps it makes.
struct RowUpdate {
    let id: String
    private let before: StateName
    private var state: StateName
    private var updatedAt: Int64
    private var values: [(column: TransactionColumn, value: SQLiteValue)] = []

    /// Nothing yet. Throws `notFound`.
    init(_ id: String, at: Int64, on connection: SQLiteConnection) throws(LedgerError) {
        guard let state = try connection.text("SELECT state FROM transactions WHERE id = ?", [.text(id)]) else {
            throw .notFound(id)
        }
        self.id = id
        before = StateName(rawValue: state)
        self.state = before
        updatedAt = at
    }

    /// One step more, with its line in the journal. Throws `conflict`.
    mutating func take(_ step: Transition, at: Int64, on connection: SQLiteConnection) throws(LedgerError) {
        guard step.from.contains(state) else { throw .conflict(id, current: state) }
        if step.isOutsideBatches {
            let batch = try connection.integer("SELECT batch FROM transactions WHERE id = ?", [.text(id)])
            guard batch == nil else { throw .conflict(id, current: state) }
        }
        try Ledger.append(id, from: state, to: step.to, detail: step.detail, at: at, on: connection)
        try Ledger.apply(step.stored, of: id, in: state, at: at, on: connection)
        state = step.to
        updatedAt = at
        if values.isEmpty {
            values = step.change.values
        } else {
            for new in step.change.values { set(new) }
        }
        for new in step.recovery.values { set(new) }
    }

    private mutating func set(_ new: (column: TransactionColumn, value: SQLiteValue)) {
        if let index = values.firstIndex(where: { $0.column == new.column }) {
            values[index] = new
        } else {
            values.append(new)
        }
    }

    /// Throws `duplicate`. Only what changes is named: SQLite rewrites the index of every column that the statement names.
    func write(on connection: SQLiteConnection) throws(LedgerError) {
        var columns = values
        columns.append((.updatedAt, .integer(updatedAt)))
        if state != before { columns.append((.state, .text(state.rawValue))) }
        columns.sort { $0.column.rawValue < $1.column.rawValue }
        let mask = columns.reduce(UInt64(0)) { $0 | 1 << UInt64($1.column.rawValue) }
        var bound: [SQLiteValue] = []
        bound.reserveCapacity(columns.count + 1)
        for column in columns { bound.append(column.value) }
        bound.append(.text(id))
        do throws(LedgerError) {
            try connection.run(.update(columns: mask), bound) {
                let changes = columns.map { "\($0.column.name) = ?" }.joined(separator: ", ")
                return "UPDATE transactions SET \(changes) WHERE id = ?"
            }
        } catch  where error.code == .invalid {
            // The index refuses an attempt that is there already; only then is it looked for.
            try refuseAttempt(on: connection)
            throw error
        }
    }

    private func refuseAttempt(on connection: SQLiteConnection) throws(LedgerError) {
        for case (.attemptID, .text(let attempt?)) in values {
            try Ledger.refuseAttempt(attempt, usedByOtherThan: id, on: connection)
        }
    }
}
