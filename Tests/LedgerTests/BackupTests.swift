import Glibc
import Ledger
import Testing

@Suite struct BackupTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func aBackupIsAPrivateLedgerOfItsOwn() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        let target = directory.path + "/copy"
        #expect(mkdir(target, 0o700) == 0)
        try writeFile(target + "/ledger.sqlite.partial", [1, 2, 3])
        try await ledger.backup(to: target + "/ledger.sqlite")
        try await ledger.begin(newSale("t2"), at: start)
        await ledger.close()

        #expect(permissions(target + "/ledger.sqlite") == 0o600)
        #expect(permissions(target + "/ledger.sqlite.partial") == nil)
        let copy = try await Ledger.open(directory: target)
        #expect(try await copy.transactions().map(\.id) == ["t1"])
        #expect(try await copy.journal(of: "t1").count == 1)
        await copy.close()
    }

    @Test func aBackupNeverReplacesAFile() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let target = directory.path + "/precious"
        try writeFile(target, [7])
        let error = await failure { () throws(LedgerError) in try await ledger.backup(to: target) }
        #expect(error?.code == .openFailed)
        #expect(try readFile(target) == [7])
        #expect(permissions(target + ".partial") == nil)
        let nowhere = await failure { () throws(LedgerError) in try await ledger.backup(to: target + "/x") }
        #expect(nowhere?.code == .openFailed)
        try await ledger.begin(newSale("t1"), at: start)
        await ledger.close()
    }
}
