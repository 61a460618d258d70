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

    @Test func aUniqueIdentifierIsRefusedUnlessTheEarlierOneIsExcepted() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let rule = IdentifierRule.unique(exceptIn: ["cancelled"])
        try await ledger.begin(newSale("t1", identifier: "order"), identifier: rule, at: start)
        let second = await failure { () throws(LedgerError) in
            try await ledger.begin(newSale("t2", identifier: "order"), identifier: rule, at: start)
        }
        #expect(second?.code == .duplicate(existing: "t1"))
        try await ledger.advance("t1", from: ["created"], to: "cancelled", at: start)
        try await ledger.begin(newSale("t2", identifier: "order"), identifier: rule, at: start)
        try await ledger.begin(newSale("t3", identifier: "order"), identifier: .free, at: start)
        try await ledger.begin(newSale("t4"), identifier: rule, at: start)
        try await ledger.begin(newSale("t5"), identifier: rule, at: start)
        #expect(try await ledger.byIdentifier("order").map(\.id) == ["t3", "t2", "t1"])
        await ledger.close()
    }

    @Test func fiftyEqualCallsOverTwoConnectionsBeginOneSale() async throws {
        let ledgers = [
            try await Ledger.open(directory: directory.path, busyTimeout: 60_000),
            try await Ledger.open(directory: directory.path, busyTimeout: 60_000),
        ]
        let outcomes = await withTaskGroup(of: LedgerError.Code?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    await failure { () throws(LedgerError) in
                        try await ledgers[number % 2].begin(
                            newSale("t\(number)", identifier: "order"), identifier: .unique(exceptIn: []), at: start)
                    }?.code
                }
            }
            return await group.reduce(into: [LedgerError.Code?]()) { $0.append($1) }
        }
        let written = try await ledgers[0].transactions().map(\.id)
        #expect(written.count == 1)
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .duplicate(existing: written.first ?? "") } == 49)
        for ledger in ledgers { await ledger.close() }
    }
}
