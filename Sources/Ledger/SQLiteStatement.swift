import CSQLite

/// One prepared statement. Used only on the thread of its connection, and finalised exactly once.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let texts: BoundTexts

    /// - Parameter texts: those of the connection.
    init(_ sql: String, on connection: OpaquePointer, _ texts: BoundTexts) throws(LedgerError) {
        var handle: OpaquePointer?
        let result = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard result == SQLITE_OK, let handle else { throw LedgerError(result: result, on: connection) }
        self.handle = handle
        self.connection = connection
        self.texts = texts
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// The texts are valid until another statement of the connection is bound; `reset` comes before that.
    func bind(_ values: [SQLiteValue]) throws(LedgerError) {
        texts.begin(values)
        for (index, value) in zip(Int32(1)..., values) {
            let result =
                switch value {
                case .text(nil), .integer(nil): sqlite3_bind_null(handle, index)
                case .text(let text?): bind(text, at: index)
                case .integer(let integer?): sqlite3_bind_int64(handle, index, integer)
                case .bytes(let bytes): Self.bind(bytes, at: index, of: handle)
                }
            guard result == SQLITE_OK else { throw LedgerError(result: result, on: connection) }
        }
    }

    /// True: there is a row. False: the statement is done.
    func step() throws(LedgerError) -> Bool {
        let result = sqlite3_step(handle)
        switch result {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw LedgerError(result: result, on: connection)
        }
    }

    var row: SQLiteRow { SQLiteRow(handle: handle) }

    /// Makes it ready for the next use and lets go of its locks and values. The result repeats the error of the last
    /// step, which has been thrown already.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private static func bind(_ bytes: [UInt8], at index: Int32, of handle: OpaquePointer) -> Int32 {
        // An empty array may have no address, and SQLite would read that as NULL.
        guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
        // SQLITE_TRANSIENT: a macro that Swift does not see. SQLite copies the bytes before the call returns.
        let copyAtOnce = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return bytes.withUnsafeBytes {
            sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), copyAtOnce)
        }
    }

    private func bind(_ text: String, at index: Int32) -> Int32 {
        guard let bytes = texts.add(text), let start = bytes.baseAddress else { return SQLITE_NOMEM }
        return sqlite3_bind_text64(
            handle, index, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil,
            UInt8(truncatingIfNeeded: SQLITE_UTF8))
    }
}

/// The row that a statement stands on; valid until its next step.
struct SQLiteRow {
    fileprivate let handle: OpaquePointer

    /// Nil for NULL and for a column that does not exist. Bytes that are not UTF-8 come as replacement characters.
    func text(_ column: Int32) -> String? {
        guard sqlite3_column_type(handle, column) != SQLITE_NULL, let bytes = sqlite3_column_text(handle, column)
        else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Nil for anything but bytes.
    func bytes(_ column: Int32) -> [UInt8]? {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Nil for NULL, for a column that does not exist, and for anything but an integer.
    func integer(_ column: Int32) -> Int64? {
        guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(handle, column)
    }
}
