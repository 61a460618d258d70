import Glibc
import Testing

@testable import Ledger

/// What is on the disk when the program, or the power, goes away. The files are copied while the ledger is in use: a
/// program that is killed leaves them so, and a power cut may take any length of the end of the log.
@Suite struct CrashTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func reopen(file: [UInt8], log: ArraySlice<UInt8>, as name: String) async throws -> Ledger {
        let path = directory.path + "/" + name
        try #require(mkdir(path, 0o700) == 0)
        try writeFile(path + "/ledger.sqlite", file)
        try writeFile(path + "/ledger.sqlite-wal", Array(log))
        return try await Ledger.open(directory: path)
    }

    /// A sale and four steps, each with its number as a remark.
    private func interrupted(_ durability: Durability) async throws -> (file: [UInt8], log: [UInt8]) {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t"), at: start, durability: durability)
        for number in 1...4 {
            try await ledger.advance(
                "t", from: ["created"], to: "created", at: start, detail: "\(number)", durability: durability)
        }
        let files = (file: try readFile(directory.file), log: try readFile(directory.file + "-wal"))
        await ledger.close()
        return files
    }

    @Test(arguments: [Durability.flushed, .written])
    func aKilledProgramLosesNothing(durability: Durability) async throws {
        let (file, log) = try await interrupted(durability)
        let ledger = try await reopen(file: file, log: log[...], as: "killed")
        #expect(try await ledger.journal(of: "t").map(\.detail) == [nil, "1", "2", "3", "4"])
        try await ledger.checkIntegrity()
        await ledger.close()
    }

    @Test func aLogThatIsCutAnywhereLosesItsEndAndNothingElse() async throws {
        let (file, log) = try await interrupted(.written)
        let all = [nil, "1", "2", "3", "4"]
        var counts: Set<Int> = []
        for length in stride(from: log.count, through: 0, by: -2_048) {
            let ledger = try await reopen(file: file, log: log[..<length], as: "cut\(length)")
            let details = try await ledger.journal(of: "t").map(\.detail)
            #expect(details == Array(all.prefix(details.count)), "\(length)")
            #expect(try await ledger.transactions().isEmpty == details.isEmpty, "\(length)")
            try await ledger.checkIntegrity()
            await ledger.close()
            counts.insert(details.count)
        }
        #expect(counts == [0, 1, 2, 3, 4, 5])
    }
}
