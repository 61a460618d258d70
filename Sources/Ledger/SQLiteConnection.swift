import CSQLite

/// One connection to one database file. Used only on one thread at a time, and closed exactly once.
final class SQLiteConnection {
    private var handle: OpaquePointer?
    private var statements: [StatementKey: SQLiteStatement] = [:]
    private let texts = BoundTexts()
    /// Nil: whatever SQLite was built with.
    private var durability: Durability?
    private let log = WriteAheadLog()
    private let busyTimeout: Int32

    /// The statements of this product are few; a larger number means that one of them is not constant.
    private static let cacheLimit = 64
    /// No text of the ledger is near this size, in bytes.
    private static let longestText: Int32 = 1 << 20

    /// Once for the process, before its first connection. Nobody asks how much memory SQLite uses, and counting it takes a
    /// lock of the process for every allocation. When SQLite is in use already it refuses, and counts on.
    private static let countsNoMemory = readerkit_sqlite_without_memory_statistics() == SQLITE_OK

    /// - Parameters:
    ///   - path: of a file that exists. It never counts as a URI.
    ///   - busyTimeout: milliseconds to wait for another process, at most.
    init(path: String, readOnly: Bool, busyTimeout: Int32) throws(LedgerError) {
        _ = Self.countsNoMemory
        var handle: OpaquePointer?
        let access = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        // A path that begins with "file:" would be read as a URI.
        let name = path.hasPrefix("/") ? path : "./" + path
        let result = sqlite3_open_v2(name, &handle, access | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle else { throw LedgerError(result: SQLITE_NOMEM, on: nil) }
        guard result == SQLITE_OK else {
            let error = LedgerError(result: sqlite3_extended_errcode(handle), on: handle)
            sqlite3_close_v2(handle)
            throw error
        }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, busyTimeout)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestText)
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        self.handle = handle
        self.busyTimeout = busyTimeout
        if !readOnly { log.watch(handle) }
    }

    deinit {
        close()
    }

    func close() {
        statements = [:]
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Whether the open file was removed, renamed or replaced: what is written to it then is lost.
    var hasMoved: Bool {
        var moved: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK || moved != 0
    }

    /// Runs a statement that gives no rows, or whose rows do not matter.
    func run(_ sql: String, _ values: [SQLiteValue] = []) throws(LedgerError) {
        try run(prepared(.sql(sql), sql), values)
    }

    /// The same for a statement whose text is made only when it is not prepared yet.
    func run(_ key: StatementKey, _ values: [SQLiteValue], sql: () -> String) throws(LedgerError) {
        try run(prepared(key, sql()), values)
    }

    private func run(_ statement: SQLiteStatement, _ values: [SQLiteValue]) throws(LedgerError) {
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    /// Runs a statement and reads each row. `read` must not use the connection.
    func rows<Element>(
        _ sql: String, _ values: [SQLiteValue] = [], read: (SQLiteRow) throws(LedgerError) -> Element
    ) throws(LedgerError) -> [Element] {
        let statement = try prepared(.sql(sql), sql)
        defer { statement.reset() }
        try statement.bind(values)
        var elements: [Element] = []
        while try statement.step() {
            elements.append(try read(statement.row))
        }
        return elements
    }

    /// The first column of the first row, if it is an integer.
    func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(LedgerError) -> Int64? {
        try rows(sql, values) { (row) throws(LedgerError) in row.integer(0) }.first.flatMap { $0 }
    }

    /// The first column of the first row, if it is not NULL.
    func text(_ sql: String, _ values: [SQLiteValue] = []) throws(LedgerError) -> String? {
        try rows(sql, values) { (row) throws(LedgerError) in row.text(0) }.first.flatMap { $0 }
    }

    /// Everything in `body` is committed together when this returns, or nothing is when it throws. The write lock is
    /// taken first, so what `body` reads cannot change before it writes.
    func immediate<Result>(
        _ durability: Durability = .flushed, _ body: () throws(LedgerError) -> Result
    ) throws(LedgerError) -> Result {
        try commit(with: durability)
        return try transaction("BEGIN IMMEDIATE", body)
    }

    /// The same, but false at once, with nothing done, when another process has the write lock.
    func immediateUnlessBusy(
        _ durability: Durability, _ body: () throws(LedgerError) -> Void
    ) throws(LedgerError) -> Bool {
        try commit(with: durability)
        do throws(LedgerError) {
            sqlite3_busy_timeout(handle, 0)
            defer { sqlite3_busy_timeout(handle, busyTimeout) }
            try run("BEGIN IMMEDIATE")
        } catch {
            guard error.code == .busy else { throw error }
            return false
        }
        try finishTransaction(body)
        return true
    }

    /// In WAL mode FULL is one fsync of the log for each commit, and NORMAL is none; with both, the log is synchronised
    /// before it is moved into the file. SQLite takes this only between transactions.
    func commit(with durability: Durability) throws(LedgerError) {
        guard durability != self.durability else { return }
        self.durability = nil
        try run(durability == .flushed ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
        self.durability = durability
    }

    /// Everything that `body` reads is of one moment, whatever other processes write meanwhile.
    func snapshot<Result>(
        _ body: () throws(LedgerError) -> Result
    ) throws(LedgerError) -> Result {
        try transaction("BEGIN", body)
    }

    /// A part of a transaction that is taken back alone when `body` throws.
    func savepoint<Result>(
        _ body: () throws(LedgerError) -> Result
    ) throws(LedgerError) -> Result {
        try run("SAVEPOINT part")
        do throws(LedgerError) {
            let result = try body()
            try run("RELEASE part")
            return result
        } catch {
            // Some errors make SQLite take back the whole transaction; so must be done if a part cannot be taken back.
            if isInTransaction {
                do throws(LedgerError) {
                    try run("ROLLBACK TO part")
                    try run("RELEASE part")
                } catch {
                    rollBack()
                }
            }
            throw error
        }
    }

    var isInTransaction: Bool {
        guard let handle else { return false }
        return sqlite3_get_autocommit(handle) == 0
    }

    private func transaction<Result>(
        _ begin: String, _ body: () throws(LedgerError) -> Result
    ) throws(LedgerError) -> Result {
        try run(begin)
        return try finishTransaction(body)
    }

    private func finishTransaction<Result>(_ body: () throws(LedgerError) -> Result) throws(LedgerError) -> Result {
        do throws(LedgerError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    var hasLongLog: Bool { log.isLong }

    /// Moves the write-ahead log into the file when it has grown long, as far as no reader needs it. Do it when nobody
    /// waits. It may fail: no commit depends on it, and it will be tried again.
    func shortenLog() {
        guard let handle, !isInTransaction else { return }
        log.shorten(handle)
    }

    /// Copies the whole database into the file at `path`, as of now.
    func copy(to path: String, busyTimeout: Int32) throws(LedgerError) {
        guard let handle else { throw .closed }
        let target = try SQLiteConnection(path: path, readOnly: false, busyTimeout: busyTimeout)
        defer { target.close() }
        guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw LedgerError(result: sqlite3_extended_errcode(target.handle), on: target.handle)
        }
        let stepped = sqlite3_backup_step(backup, -1)
        let finished = sqlite3_backup_finish(backup)
        guard stepped == SQLITE_DONE, finished == SQLITE_OK else {
            throw LedgerError(result: finished == SQLITE_OK ? stepped : finished, on: target.handle)
        }
    }

    /// Some errors make SQLite roll back by itself; then there is nothing left to do.
    private func rollBack() {
        guard isInTransaction else { return }
        // It can fail only by an error that the caller is about to report already.
        try? run("ROLLBACK")
    }

    private func prepared(
        _ key: StatementKey, _ sql: @autoclosure () -> String
    ) throws(LedgerError) -> SQLiteStatement {
        guard let handle else { throw .closed }
        if let known = statements[key] { return known }
        if statements.count >= Self.cacheLimit { statements = [:] }
        let statement = try SQLiteStatement(sql(), on: handle, texts)
        statements[key] = statement
        return statement
    }
}
