import Ledger
import Testing

@Suite struct RecoveryTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func new(_ id: String, owner: String? = "p1", due: Int64?, state: StateName = "created") -> NewTransaction {
        NewTransaction(id: id, state: state, amount: 100, currency: 484, owner: owner, resolveAt: due)
    }

    @Test func aNewTransactionHasItsOwnerAndItsPlanFromTheFirstCommitOn() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let record = try await ledger.begin(new("t1", due: start + 60), at: start).record
        #expect(record.owner == "p1" && record.resolveAt == start + 60 && record.resolveTries == 0)
        try await ledger.begin(new("t2", owner: "p2", due: nil), at: start)
        try await ledger.begin(new("t3", owner: nil, due: nil), at: start)
        #expect(try await ledger.unresolved(states: ["created"]).map(\.id) == ["t1", "t2", "t3"])
        #expect(try await ledger.unresolved(states: ["created"], owner: "p2").map(\.id) == ["t2"])
        #expect(try await ledger.unresolved(states: ["approved"], owner: "p2").isEmpty)
        await ledger.close()
    }

    @Test func whatIsDueComesInTheOrderOfItsTime() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        for (id, due) in [("a", 30), ("b", 10), ("c", 20), ("d", 10), ("e", nil)] as [(String, Int64?)] {
            try await ledger.begin(new(id, due: due), at: start)
        }
        #expect(try await ledger.due(at: 9).isEmpty)
        #expect(try await ledger.due(at: 20).map(\.id) == ["b", "d", "c"])
        #expect(try await ledger.due(at: .max, limit: 2).map(\.id) == ["b", "d"])
        try await ledger.schedule("b", resolveAt: 40, tries: 3)
        try await ledger.schedule("c", resolveAt: nil, tries: 2)
        #expect(try await ledger.due(at: .max).map(\.id) == ["d", "a", "b"])
        #expect(try await ledger.transaction("b").resolveTries == 3)
        let planned = try await ledger.transaction("c")
        #expect(planned.resolveAt == nil && planned.resolveTries == 2)
        #expect(planned.state == "created" && planned.updatedAt == start)
        #expect(try await ledger.journal(of: "c").count == 1)
        await ledger.close()
    }

    @Test func aPlanForNobodyOrWithANegativeCountIsRefused() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(new("a", due: nil), at: start)
        let nobody = await failure { () throws(LedgerError) in
            try await ledger.schedule("x", resolveAt: 1, tries: 0)
        }
        #expect(nobody?.code == .notFound)
        let negative = await failure { () throws(LedgerError) in
            try await ledger.schedule("a", resolveAt: 1, tries: -1)
        }
        #expect(negative?.code == .invalid)
        #expect(try await ledger.due(at: .max).isEmpty)
        await ledger.close()
    }

    @Test func aStepKeepsChangesOrEndsThePlanInItsOwnCommit() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(new("t", due: 10), at: start)
        let kept = try await ledger.advance("t", from: ["created"], to: "unknown", at: start)
        #expect(kept.resolveAt == 10)
        let moved = try await ledger.advance(
            "t", from: ["unknown"], to: "unknown", at: start, recovery: .due(at: 99, tries: 4))
        #expect(moved.resolveAt == 99 && moved.resolveTries == 4)
        let step = Transition("t", from: ["unknown"], to: "reversed", recovery: .none)
        let ended = try #require(try await ledger.advance([step], at: start).first)
        #expect(ended.resolveAt == nil && ended.resolveTries == 4)
        #expect(try await ledger.transaction("t") == ended)
        await ledger.close()
    }

    @Test func claimersOverTwoConnectionsShareTheWorkAndNoneIsTakenTwice() async throws {
        let ledgers = [
            try await Ledger.open(directory: directory.path, busyTimeout: 60_000),
            try await Ledger.open(directory: directory.path, busyTimeout: 60_000),
        ]
        for number in 0..<40 { try await ledgers[0].begin(new("t\(number)", due: Int64(number)), at: start) }
        let claimed = await withTaskGroup(of: [TransactionRecord].self) { group in
            for number in 0..<10 {
                group.addTask {
                    do throws(LedgerError) {
                        return try await ledgers[number % 2].claimDue(
                            at: 29, owner: "p\(number)", until: 1_000, limit: 5)
                    } catch {
                        Issue.record(error)
                        return []
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.count == 30)
        #expect(Set(claimed.map(\.id)) == Set((0..<30).map { "t\($0)" }))
        for record in claimed {
            #expect(record.resolveAt == 1_000 && record.resolveTries == 1)
            #expect(try await ledgers[1].transaction(record.id) == record)
        }
        #expect(try await ledgers[0].claimDue(at: 29, owner: "late", until: 1_000).isEmpty)
        for ledger in ledgers { await ledger.close() }
    }

    @Test func statesAreCounted() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        #expect(try await ledger.countByState() == [:])
        for (id, state) in [("a", "created"), ("b", "approved"), ("c", "approved")] as [(String, StateName)] {
            try await ledger.begin(new(id, due: nil, state: state), at: start)
        }
        #expect(try await ledger.countByState() == ["created": 1, "approved": 2])
        await ledger.close()
    }
}
