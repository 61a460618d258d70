import Testing

@testable import Ledger

extension Ledger {
    fileprivate func level() throws(LedgerError) -> Int64? {
        try connected().integer("PRAGMA synchronous")
    }
}

/// 2 is FULL, 1 is NORMAL: https://sqlite.org/pragma.html#pragma_synchronous.
@Suite struct DurabilityTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func eachCommitHasTheDurabilityThatItsCallerAskedFor() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        #expect(try await ledger.level() == 2)
        try await ledger.begin(newSale("t"), at: start, durability: .written)
        #expect(try await ledger.level() == 1)
        try await ledger.advance("t", from: ["created"], to: "a", at: start, durability: .flushed)
        #expect(try await ledger.level() == 2)
        let step = Transition("t", from: ["a"], to: "b")
        try await ledger.advance([step], at: start, durability: .written)
        #expect(try await ledger.level() == 1)
        try await ledger.note("t", detail: "seen", at: start)
        #expect(try await ledger.level() == 2)
        try await ledger.note("t", detail: "seen", at: start, durability: .written)
        #expect(try await ledger.level() == 1)
        try await ledger.schedule("t", resolveAt: 1, tries: 0)
        #expect(try await ledger.level() == 2)
        await ledger.close()
    }

    @Test func whatIsWrittenIsSeenByOtherConnectionsAtOnce() async throws {
        let writer = try await Ledger.open(directory: directory.path)
        let reader = try await Ledger.openReadOnly(directory: directory.path)
        try await writer.begin(newSale("t"), at: start, durability: .written)
        #expect(try await reader.transaction("t").state == "created")
        await reader.close()
        await writer.close()
        let again = try await Ledger.open(directory: directory.path)
        #expect(try await again.level() == 2)
        #expect(try await again.transaction("t").state == "created")
        await again.close()
    }

    /// SQLite would do it within the commit that fills the log, while its caller waits.
    @Test func theLogIsMovedIntoTheFileWhenItHasGrown() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let text = String(repeating: "x", count: 50_000)
        for number in 0..<120 {
            try await ledger.begin(newSale("t\(number)", identifier: text), at: start, durability: .written)
        }
        // Each sale adds some thirty pages: several times what the log holds.
        #expect(try readFile(directory.file + "-wal").count < 1_200 * 4_120)
        #expect(try readFile(directory.file).count > 1_000 * 4_096)
        await ledger.close()
    }
}
