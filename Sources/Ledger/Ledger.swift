/// The journal of payments on disk: what was promised, and in what order. It keeps the transactions and every change of
/// their state in one SQLite file, `ledger.sqlite`; several processes may use the same file.
///
/// Every method that changes something makes exactly one commit, and the commit has been given to the disk (fsync) when
/// the method returns, unless the caller asks for less (`Durability.written`). When it throws, nothing has been written,
/// and the ledger is still usable.
///
/// Times and ids come from the caller. Blocking calls run on a thread of the ledger's own. Call `close()` at the end.
public actor Ledger {
    /// Milliseconds that an operation waits for another process at most, unless told otherwise.
    public static let defaultBusyTimeout: Int32 = 5_000

    private let thread: LedgerThread
    private let busyTimeout: Int32
    private var connection: SQLiteConnection?
    /// Commits that have waited for the disk, for tests.
    private(set) var flushes = 0

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
        await disconnect()
        thread.stop()
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
    }

    func flushed() { flushes &+= 1 }

    func connected() throws(LedgerError) -> SQLiteConnection {
        guard let connection else { throw .closed }
        return connection
    }

    /// Copies the ledger, as it is now, to a new file (0600) at `path`. The copy is complete or not there at all. Other
    /// operations of this ledger wait meanwhile; other processes do not.
    ///
    /// - Throws: `openFailed` if `path` exists already; `notWritable`, `diskFull`, `busy`, `closed`, `sqlite`.
    public func backup(to path: String) throws(LedgerError) {
        let target = try LedgerBackup(path: path)
        try target.write(from: connected(), busyTimeout: busyTimeout)
    }
}
