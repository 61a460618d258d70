import Glibc
import Testing

@testable import Ledger

extension Ledger {
    fileprivate func pragma(_ name: String) throws(LedgerError) -> String? {
        try connected().text("PRAGMA \(name)")
    }
}

@Suite struct OpeningTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func theFirstUseMakesPrivateDirectoriesAndFiles() async throws {
        let path = directory.path + "/a/b//c/"
        let ledger = try await Ledger.open(directory: path)
        try await ledger.begin(newSale("t1"), at: start)
        for name in ["/a", "/a/b", "/a/b/c"] { #expect(permissions(directory.path + name) == 0o700) }
        for name in ["", "-wal", "-shm"] { #expect(permissions(path + "ledger.sqlite" + name) == 0o600) }
        await ledger.close()
    }

    @Test func everyCommitReachesTheDiskThroughAWriteAheadLog() async throws {
        let ledger = try await Ledger.open(directory: directory.path, busyTimeout: 1_234)
        #expect(try await ledger.pragma("journal_mode") == "wal")
        #expect(try await ledger.pragma("synchronous") == "2")
        #expect(try await ledger.pragma("foreign_keys") == "1")
        #expect(try await ledger.pragma("trusted_schema") == "0")
        #expect(try await ledger.pragma("busy_timeout") == "1234")
        #expect(try await ledger.pragma("user_version") == "7")
        #expect(try await ledger.pragma("application_id") == "1380674663")
        await ledger.close()
    }

    @Test(arguments: [mode_t(0o770), 0o707, 0o720, 0o702])
    func aDirectoryThatOthersCanWriteIsRefused(mode: mode_t) async throws {
        #expect(chmod(directory.path, mode) == 0)
        let error = await failure { [path = directory.path] () throws(LedgerError) in
            try await Ledger.open(directory: path)
        }
        #expect(error?.code == .openFailed)
        #expect(error?.sentence.contains("can be written by other users") == true)
        #expect(error?.nextStep == "Run: chmod 700 '\(directory.path)'")
        #expect(permissions(directory.file) == nil)
    }

    @Test func aFileThatOthersCouldReadIsMadePrivate() async throws {
        await (try Ledger.open(directory: directory.path)).close()
        #expect(chmod(directory.file, 0o644) == 0)
        await (try Ledger.open(directory: directory.path)).close()
        #expect(permissions(directory.file) == 0o600)
    }

    @Test func whatIsNoDirectoryOrNoRegularFileIsRefused() async throws {
        let path = directory.path
        try writeFile(path + "/file", [1])
        for bad in ["", "a\u{0}b", path + "/file", path + "/file/below"] {
            let error = await failure { () throws(LedgerError) in try await Ledger.open(directory: bad) }
            #expect(error?.code == .openFailed, "\(bad)")
        }
        #expect(symlink(path + "/elsewhere", directory.file) == 0)
        let error = await failure { () throws(LedgerError) in try await Ledger.open(directory: path) }
        #expect(error?.code == .openFailed)
        #expect(permissions(path + "/elsewhere") == nil)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func aReadOnlyDirectoryIsNotWritable() async throws {
        #expect(chmod(directory.path, 0o500) == 0)
        let error = await failure { [path = directory.path] () throws(LedgerError) in
            try await Ledger.open(directory: path)
        }
        #expect(error?.code == .notWritable)
        #expect(chmod(directory.path, 0o700) == 0)
    }

    @Test(arguments: [EACCES, EPERM, EROFS])
    func theSystemsRefusalToWriteIsNotWritable(number: Int32) {
        #expect(LedgerDirectory.failed("x", number).code == .notWritable)
    }

    @Test func aReadOnlyLedgerAnswersAndRefusesToWrite() async throws {
        let path = directory.path
        let none = await failure { () throws(LedgerError) in try await Ledger.openReadOnly(directory: path) }
        #expect(none?.code == .noLedger)
        let missing = await failure { () throws(LedgerError) in
            try await Ledger.openReadOnly(directory: path + "/missing")
        }
        #expect(missing?.code == .noLedger)
        #expect(permissions(path + "/missing") == nil)

        let writer = try await Ledger.open(directory: path)
        try await writer.begin(newSale("t1"), at: start)
        let reader = try await Ledger.openReadOnly(directory: path)
        #expect(try await reader.transactions().map(\.id) == ["t1"])
        try await writer.begin(newSale("t2"), at: start + 1)
        #expect(try await reader.transactions().map(\.id) == ["t2", "t1"])
        let error = await failure { () throws(LedgerError) in try await reader.begin(newSale("t3"), at: start) }
        #expect(error?.code == .notWritable)
        #expect(try await reader.transactions().count == 2)
        await writer.close()
        await reader.close()
        let alone = try await Ledger.openReadOnly(directory: path)
        #expect(try await alone.transactions().count == 2)
        await alone.close()
    }

    @Test func aFileThatWasNeverFinishedIsNoLedgerToAReader() async throws {
        try writeFile(directory.file, [])
        let error = await failure { [path = directory.path] () throws(LedgerError) in
            try await Ledger.openReadOnly(directory: path)
        }
        #expect(error?.code == .noLedger)
    }

    @Test func aNewerFormatIsRefusedAndLeftAlone() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        _ = try await ledger.pragma("user_version = 99")
        await ledger.close()
        let before = try readFile(directory.file)
        for readOnly in [false, true] {
            let error = await failure { [path = directory.path] () throws(LedgerError) in
                readOnly ? try await Ledger.openReadOnly(directory: path) : try await Ledger.open(directory: path)
            }
            #expect(error?.code == .newerSchema)
            #expect(error?.sentence == "The ledger has the format 99, and this program knows formats up to 7.")
        }
        #expect(try readFile(directory.file) == before)
    }

    @Test(arguments: ["application_id = 1", "application_id = 0"])
    func aDatabaseOfAnotherProgramIsRefused(change: String) async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        _ = try await ledger.pragma(change)
        await ledger.close()
        let error = await failure { [path = directory.path] () throws(LedgerError) in
            try await Ledger.open(directory: path)
        }
        #expect(error?.code == .openFailed)
        #expect(error?.sentence.contains("belongs to another program") == true)
    }

    @Test func manyOpenersOfANewFileAllGetIt() async throws {
        let path = directory.path + "/new"
        let opened = await withTaskGroup(of: LedgerError?.self) { group in
            for number in 0..<8 {
                group.addTask {
                    await failure { () throws(LedgerError) in
                        let ledger = try await Ledger.open(directory: path, busyTimeout: 60_000)
                        try await ledger.begin(newSale("t\(number)"), at: start)
                        await ledger.close()
                    }
                }
            }
            return await group.reduce(into: [LedgerError?]()) { $0.append($1) }
        }
        #expect(opened == Array(repeating: nil, count: 8))
        let ledger = try await Ledger.open(directory: path)
        #expect(try await ledger.transactions().count == 8)
        await ledger.close()
    }
}
