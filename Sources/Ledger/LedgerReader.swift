/// A connection for questions only, on a thread of its own, so that a long answer never holds up a payment. What was
/// committed before a question is in its answer.
actor LedgerReader {
    private let thread: LedgerThread
    private let directory: LedgerDirectory
    private let busyTimeout: Int32
    private var connection: SQLiteConnection?
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ directory: LedgerDirectory, busyTimeout: Int32) throws(LedgerError) {
        thread = try LedgerThread()
        self.directory = directory
        self.busyTimeout = busyTimeout
    }

    deinit {
        thread.abandon()
    }

    nonisolated func close() async {
        await disconnect()
        thread.stop()
    }

    func answer<Answer: Sendable>(
        _ question: @Sendable (SQLiteConnection) throws(LedgerError) -> Answer
    ) throws(LedgerError) -> Answer {
        try question(connected())
    }

    private func connected() throws(LedgerError) -> SQLiteConnection {
        guard !isClosed else { throw .closed }
        if let connection { return connection }
        guard try directory.hasFile() else { throw .fileTakenAway(cannotBe: "read") }
        let new = try SQLiteConnection(path: directory.file, readOnly: true, busyTimeout: busyTimeout)
        try LedgerFile(connection: new, directory: directory.path).prepare()
        connection = new
        return new
    }

    private func disconnect() {
        isClosed = true
        connection?.close()
        connection = nil
    }
}
