import Glibc
import Testing

@testable import Ledger

@Suite struct ExportTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func filled(_ count: Int) async throws -> Ledger {
        let ledger = try await Ledger.open(directory: directory.path)
        for number in 0..<count {
            try await ledger.begin(
                newSale("t\(number)", state: number % 2 == 0 ? "approved" : "declined"), at: start + Int64(number),
                durability: .written)
        }
        return ledger
    }

    private func ids(_ export: LedgerExport) async throws -> [String] {
        var ids: [String] = []
        for try await record in export { ids.append(record.id) }
        return ids
    }

    /// Fewer than a page, a page, one more, and several pages.
    @Test(arguments: [0, 1, 256, 257, 600])
    func everyTransactionComesOnceInItsOrder(count: Int) async throws {
        let ledger = try await filled(count)
        let all = (0..<count).map { "t\($0)" }
        #expect(try await ids(ledger.export()) == all)
        #expect(try await ids(ledger.export(order: .newestFirst)) == all.reversed())
        await ledger.close()
    }

    @Test func filtersNarrow() async throws {
        let ledger = try await filled(6)
        try await ledger.beginRefund(
            newSale("r", amount: 40), ofOriginal: "t0", countedStates: [], originalStates: ["approved"],
            limitMinorUnits: 100, at: start + 9)
        #expect(try await ids(ledger.export(states: ["approved"])) == ["t0", "t2", "t4"])
        #expect(try await ids(ledger.export(kind: .refund)) == ["r"])
        #expect(try await ids(ledger.export(kind: .sale, since: start + 2, before: start + 4)) == ["t2", "t3"])
        #expect(try await ids(ledger.export(states: [])).isEmpty)
        await ledger.close()
    }

    @Test func itIsOfOneMomentAndPaymentsGoOnMeanwhile() async throws {
        let ledger = try await filled(300)
        var export = try await ledger.export().makeAsyncIterator()
        let first = try #require(try await export.next())
        #expect(first.id == "t0")
        try await ledger.begin(newSale("late"), at: start)
        try await ledger.advance("t299", from: ["declined"], to: "reversed", at: start)
        var last = first
        var count = 1
        while let record = try await export.next() {
            last = record
            count += 1
        }
        #expect(count == 300 && last.id == "t299" && last.state == "declined")
        #expect(try await export.next() == nil)
        #expect(try await ids(ledger.export()).count == 301)
        await ledger.close()
    }

    @Test func anIterationThatIsLeftEarlyLetsGoOfTheFile() async throws {
        let ledger = try await filled(300)
        for try await record in try await ledger.export() {
            #expect(record.id == "t0")
            break
        }
        await ledger.close()
        // The last connection moves the log into the file and takes it away.
        #expect(permissions(directory.file + "-wal") == nil)
    }

    @Test func anErrorEndsTheIteration() async throws {
        let ledger = try await filled(3)
        let export = try await ledger.export()
        await ledger.close()
        try #require(move(directory.file, to: directory.file + ".away"))
        var iterator = export.makeAsyncIterator()
        await #expect(throws: LedgerError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }
}
