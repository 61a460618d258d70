import Ledger
import Testing

@Suite struct QueryTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func filled() async throws -> Ledger {
        let ledger = try await Ledger.open(directory: directory.path)
        for number in 0..<4 {
            try await ledger.begin(newSale("t\(number)", amount: 100, tip: 5), at: start + Int64(number))
        }
        var change = TransactionChange()
        change.cardBrand = "VISA"
        change.batch = 2
        try await ledger.advance("t0", from: ["created"], to: "approved", change: change, at: start)
        try await ledger.advance("t1", from: ["created"], to: "approved", change: change, at: start)
        try await ledger.advance("t2", from: ["created"], to: "unknown", at: start)
        try await ledger.beginRefund(
            newSale("r", amount: 40), ofOriginal: "t0", countedStates: ["created"], originalStates: ["approved"],
            limitMinorUnits: 105, at: start + 9)
        return ledger
    }

    @Test func filtersNarrowAndTheNewestComesFirst() async throws {
        let ledger = try await filled()
        #expect(try await ledger.transactions().map(\.id) == ["r", "t3", "t2", "t1", "t0"])
        #expect(try await ledger.transactions(states: ["approved", "unknown"]).map(\.id) == ["t2", "t1", "t0"])
        #expect(try await ledger.transactions(states: []).isEmpty)
        #expect(try await ledger.transactions(kind: .refund).map(\.id) == ["r"])
        #expect(try await ledger.transactions(kind: .sale, since: start + 2).map(\.id) == ["t3", "t2"])
        #expect(try await ledger.transactions(limit: 2).map(\.id) == ["r", "t3"])
        #expect(try await ledger.transactions(limit: .min).map(\.id) == ["r"])
        #expect(try await ledger.transactions(limit: .max).count == 5)
        #expect(try await ledger.unresolved(states: ["created", "unknown"]).map(\.id) == ["t2", "t3", "r"])
        #expect(try await ledger.refunds(of: "t1").isEmpty)
        #expect(try await ledger.journal(of: "nobody").isEmpty)
        await ledger.close()
    }

    @Test func totalsGroupByKindStateBrandAndCurrency() async throws {
        let ledger = try await filled()
        let totals = try await ledger.totals(states: ["approved", "created"])
        #expect(totals.map(\.kind) == [.refund, .sale, .sale])
        #expect(totals.map(\.state) == ["created", "approved", "created"])
        #expect(totals.map(\.cardBrand) == [nil, "VISA", nil])
        #expect(totals.map(\.count) == [1, 2, 1])
        #expect(totals.map(\.amount) == [40, 200, 100])
        #expect(totals.map(\.tip) == [0, 10, 5])
        #expect(totals.map(\.currency) == [484, 484, 484])
        #expect(try await ledger.totals(batch: 2).map(\.count) == [2])
        #expect(try await ledger.totals(since: start + 1, before: start + 2).map(\.amount) == [100])
        #expect(try await ledger.lastBatch() == 2)
        await ledger.close()
    }
}
