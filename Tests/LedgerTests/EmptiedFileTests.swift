import Glibc
import Testing

@testable import Ledger

/// A file without a ledger in it: is it about to be made, or has somebody cut it short?
@Suite struct EmptiedFileTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func openingError(readOnly: Bool = false) async -> LedgerError? {
        await failure { [path = directory.path] () throws(LedgerError) in
            let ledger =
                readOnly ? try await Ledger.openReadOnly(directory: path) : try await Ledger.open(directory: path)
            await ledger.close()
        }
    }

    private func fill() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        await ledger.close()
    }

    /// As a payment makes it beside a ledger that is complete.
    private func makeReceiptKey() throws {
        try writeFile(directory.path + "/receipt.key", Array("key".utf8))
    }

    private func makeRunning() throws {
        try #require(mkdir(directory.path + "/running", 0o700) == 0)
    }

    private func expectRefusal() async {
        for readOnly in [true, false] {
            let error = await openingError(readOnly: readOnly)
            #expect(error?.code == .corrupt)
            #expect(
                error?.sentence
                    == "The ledger is damaged: '\(directory.file)' is empty, and payments were made with this directory "
                    + "before.")
            #expect(
                error?.nextStep
                    == "Stop taking payments and restore the last backup. To begin anew without those payments, move "
                    + "'\(directory.file)' away.")
        }
    }

    @Test("a ledger that was cut to nothing is refused, and a new one begins when the file is moved away")
    func cut() async throws {
        try await fill()
        try makeReceiptKey()
        try writeFile(directory.file, [])
        await expectRefusal()
        #expect(try readFile(directory.file) == [])
        #expect(unlink(directory.file) == 0)
        #expect(await openingError() == nil)
    }

    @Test("the locks of programs are a trace of a ledger, too")
    func cutBesideLocks() async throws {
        try await fill()
        try makeRunning()
        try writeFile(directory.file, [])
        await expectRefusal()
    }

    @Test("while a program has the ledger open another one refuses the cut file, and leaves the log as it is")
    func cutInUse() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        let log = try readFile(directory.file + "-wal")
        #expect(!log.isEmpty)
        try writeFile(directory.file, [])
        await expectRefusal()
        #expect(try readFile(directory.file + "-wal") == log)
        await ledger.close()
    }

    @Test("a file that is gone, with its log still there, is refused, and the log is left as it is")
    func logAlone() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        let log = directory.file + "-wal"
        let bytes = try readFile(log)
        #expect(unlink(directory.file) == 0)
        for readOnly in [true, false] {
            let error = await openingError(readOnly: readOnly)
            #expect(error?.code == .corrupt)
            #expect(
                error?.sentence
                    == "The ledger is damaged: '\(directory.file)' is gone, and its log '\(log)' is still there.")
            #expect(error?.nextStep.hasSuffix("To begin anew without those payments, move '\(log)' away.") == true)
        }
        #expect(permissions(directory.file) == nil)
        #expect(try readFile(log) == bytes)
        await ledger.close()
    }

    @Test("a database without tables in the ledger's place is refused where there was a ledger")
    func withoutTables() async throws {
        try await fill()
        try makeReceiptKey()
        #expect(unlink(directory.file) == 0)
        try writeFile(directory.file, [])
        let other = try SQLiteConnection(path: directory.file, readOnly: false, busyTimeout: 0)
        #expect(try other.text("PRAGMA journal_mode = WAL") == "wal")
        other.close()
        #expect(try !readFile(directory.file).isEmpty)
        await expectRefusal()
    }

    // MARK: First starts

    @Test("the ledger can be made where only the key of receipts is, or the directory of locks")
    func keyAlone() async throws {
        try makeReceiptKey()
        try makeRunning()
        #expect(await openingError() == nil)
        #expect(await openingError() == nil)
    }

    /// The first one is what earlier versions left.
    @Test("a first start that was killed before the ledger was complete goes on", arguments: [mode_t(0o600), 0o1600])
    func killed(mode: mode_t) async throws {
        if mode != 0o600 { try makeReceiptKey() }
        #expect(mknod(directory.file, S_IFREG | mode, 0) == 0)
        #expect(await openingError(readOnly: true)?.code == .noLedger)
        #expect(await openingError() == nil)
        #expect(await openingError(readOnly: true) == nil)
    }

    @Test("a first start that was killed when SQLite had made its first page goes on")
    func killedLater() async throws {
        try makeReceiptKey()
        try LedgerDirectory(directory.path).prepare()
        let first = try SQLiteConnection(path: directory.file, readOnly: false, busyTimeout: 0)
        #expect(try first.text("PRAGMA journal_mode = WAL") == "wal")
        first.close()
        #expect(try !readFile(directory.file).isEmpty)
        #expect(await openingError() == nil)
    }

    @Test("a complete ledger has no mark of a first start, also when that start was killed before it took it away")
    func mark() async throws {
        try await fill()
        var status = stat()
        #expect(stat(directory.file, &status) == 0 && status.st_mode == S_IFREG | 0o600)
        #expect(chmod(directory.file, 0o1600) == 0)
        #expect(await openingError() == nil)
        #expect(stat(directory.file, &status) == 0 && status.st_mode == S_IFREG | 0o600)
    }
}
