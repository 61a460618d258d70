import Ledger
import Testing

@Suite struct DuplicateTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func anIdOrAnAttemptIsUsedOnce() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1", attemptID: "a1"), at: start)
        let sameID = await failure { () throws(LedgerError) in try await ledger.begin(newSale("t1"), at: start) }
        #expect(sameID?.code == .duplicate(existing: "t1"))
        let sameAttempt = await failure { () throws(LedgerError) in
            try await ledger.begin(newSale("t2", attemptID: "a1"), at: start)
        }
        #expect(sameAttempt?.code == .duplicate(existing: "t1"))
        try await ledger.begin(newSale("t3"), at: start)
        var change = TransactionChange()
        change.attemptID = "a1"
        let later = await failure { [change] () throws(LedgerError) in
            try await ledger.advance("t3", from: ["created"], to: "authorizing", change: change, at: start)
        }
        #expect(later?.code == .duplicate(existing: "t1"))
        try await ledger.advance("t1", from: ["created"], to: "authorizing", change: change, at: start)
        #expect(try await ledger.byAttempt("a1")?.id == "t1")
        #expect(try await ledger.byAttempt("a2") == nil)
        await ledger.close()
    }
}
