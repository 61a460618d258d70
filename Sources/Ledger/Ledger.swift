/// The journal of payments on disk: what was promised, and in what order. It keeps the transactions and every change of
/// their state in one SQLite file, `ledger.sqlite`; several processes may use the same file.
///
/// Every method that changes something makes exactly one commit, and the commit has been given to the disk (fsync) when
/// the method returns, unless the caller asks for less (`Durability.written`). When it throws, nothing has been written,
/// and the ledger is still usable.
///
/// Times and ids come from the caller. Blocking calls run on a thread of the ledger's own, but for the commit of a change that
/// finds the ledger idle: it is made on the thread that asks for it. Call `close()` at the end.
public actor Ledger {
    /// Milliseconds that an operation waits for another process at most, unless told otherwise.
    public static let defaultBusyTimeout: Int32 = 5_000

    nonisolated let thread: LedgerThread
    nonisolated let busyTimeout: Int32
    private(set) var connection: SQLiteConnection?
    /// Nil when the connection is gone.
    private var directory: LedgerDirectory?
    private var isReadOnly = false
    /// Made for the first long question.
    private var reader: LedgerReader?
    /// What has been committed since the ledger was opened.
    public private(set) var activity = LedgerActivity()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private init(thread: LedgerThread, busyTimeout: Int32) {
        self.thread = thread
        self.busyTimeout = min(max(busyTimeout, 0), 60_000)
    }

    deinit {
        thread.abandon()
    }

    /// Opens the ledger in `directory` for reading and writing, and makes both on first use: the directory 0700 (with
    /// its parents), the file 0600. An older file is brought to the current version. A damaged one is refused.
    ///
    /// - Parameter busyTimeout: milliseconds, 0 ... 60_000.
    /// - Throws: `openFailed`, `notWritable`, `corrupt`, `diskFull`, `newerSchema`, `busy`, `sqlite`.
    public static func open(
        directory: String, busyTimeout: Int32 = Ledger.defaultBusyTimeout
    ) async throws(LedgerError) -> Ledger {
        try await open(directory, readOnly: false, busyTimeout: busyTimeout)
    }

    /// Opens the ledger in `directory` for questions only. Nothing is made or changed there.
    ///
    /// - Throws: `noLedger` if there is none, else as `open(directory:busyTimeout:)`.
    public static func openReadOnly(
        directory: String, busyTimeout: Int32 = Ledger.defaultBusyTimeout
    ) async throws(LedgerError) -> Ledger {
        try await open(directory, readOnly: true, busyTimeout: busyTimeout)
    }

    private static func open(
        _ path: String, readOnly: Bool, busyTimeout: Int32
    ) async throws(LedgerError) -> Ledger {
        let directory = try LedgerDirectory(path)
        let ledger = Ledger(thread: try LedgerThread(), busyTimeout: busyTimeout)
        do throws(LedgerError) {
            try await ledger.connect(to: directory, readOnly: readOnly)
        } catch {
            await ledger.close()
            throw error
        }
        return ledger
    }

    /// Closes the file and ends the thread, after what was asked before. Every later operation throws `closed`; a second
    /// close does nothing.
    public nonisolated func close() async {
        await endReading()?.close()
        await disconnect()
        thread.stop()
    }

    /// The reader goes first: a connection that only reads, if it were the last, would leave the log behind.
    private func endReading() -> LedgerReader? {
        directory = nil
        defer { reader = nil }
        return reader
    }

    private func disconnect() {
        connection?.close()
        connection = nil
    }

    private func connect(to directory: LedgerDirectory, readOnly: Bool) throws(LedgerError) {
        if readOnly {
            guard try directory.hasFile() else { throw .noLedger(directory.path) }
            try directory.check()
            try directory.checkFile(narrowing: false)
        } else {
            try directory.prepare()
        }
        let connection = try SQLiteConnection(path: directory.file, readOnly: readOnly, busyTimeout: busyTimeout)
        try LedgerFile(connection: connection, directory: directory.path).open(readOnly: readOnly)
        self.connection = connection
        self.directory = directory
        isReadOnly = readOnly
    }

    func connected() throws(LedgerError) -> SQLiteConnection {
        guard let connection else { throw .closed }
        return connection
    }

    func location() throws(LedgerError) -> LedgerDirectory {
        guard let directory else { throw .closed }
        return directory
    }

    /// Asks a question whose answer may take long, on a connection of its own; a ledger that was opened for reading has
    /// only such questions, and uses its own.
    nonisolated func ask<Answer: Sendable>(
        _ question: @Sendable (SQLiteConnection) throws(LedgerError) -> Answer
    ) async throws(LedgerError) -> Answer {
        guard let reader = try await otherReader() else { return try await answer(question) }
        return try await reader.answer(question)
    }

    /// Asks a question whose answer takes no longer than a commit: on the thread of the caller when nothing is under way.
    nonisolated func answerSoon<Answer: Sendable>(
        _ question: @Sendable (SQLiteConnection) throws(LedgerError) -> Answer
    ) async throws(LedgerError) -> Answer {
        let early: Result<Answer, LedgerError>? = thread.ifIdle {
            assumeIsolated { ledger in
                Result { () throws(LedgerError) in try ledger.answer(question) }
            }
        }
        if let early { return try early.get() }
        return try await answer(question)
    }

    private func answer<Answer: Sendable>(
        _ question: @Sendable (SQLiteConnection) throws(LedgerError) -> Answer
    ) throws(LedgerError) -> Answer {
        try question(connected())
    }

    private func otherReader() throws(LedgerError) -> LedgerReader? {
        let directory = try location()
        if isReadOnly { return nil }
        if let reader { return reader }
        let new = try LedgerReader(directory, busyTimeout: busyTimeout)
        reader = new
        return new
    }

    func count(_ group: WriteGroup) {
        activity.changes += group.performedCount
        activity.commits += 1
        if group.durability == .flushed { activity.flushes += 1 }
    }

    /// Copies the ledger, as it is now, to a new file (0600) at `path`. The copy is complete or not there at all. Payments
    /// go on meanwhile.
    ///
    /// - Throws: `openFailed` if `path` exists already; `notWritable`, `diskFull`, `busy`, `closed`, `sqlite`.
    public nonisolated func backup(to path: String) async throws(LedgerError) {
        let target = try LedgerBackup(path: path)
        let reader = try LedgerReader(await location(), busyTimeout: busyTimeout)
        do throws(LedgerError) {
            try await reader.answer { [busyTimeout] (connection) throws(LedgerError) in
                try target.write(from: connection, busyTimeout: busyTimeout)
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
    }
}
