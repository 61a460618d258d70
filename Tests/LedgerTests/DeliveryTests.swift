import Ledger
import Testing

@Suite struct DeliveryTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func claim(_ ledger: Ledger, at now: Int64, limit: Int = 100) async throws(LedgerError) -> [DeliveryRecord]
    {
        try await ledger.claimDeliveries(
            "webhook", of: ["approved"], since: start, at: now, until: now + 100, limit: limit)
    }

    @Test func anApprovedSaleIsClaimedOnceAndAgainAfterTheClaimHasRunOut() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        for id in ["a", "b", "c"] { try await ledger.begin(newSale(id), at: start) }
        for id in ["a", "b"] { try await ledger.advance(id, from: ["created"], to: "approved", at: start) }
        #expect(try await claim(ledger, at: start, limit: 1).map(\.transactionID) == ["a"])
        #expect(try await claim(ledger, at: start).map(\.transactionID) == ["b"])
        #expect(try await claim(ledger, at: start + 99).isEmpty)
        #expect(try await claim(ledger, at: start + 100).map(\.transactionID) == ["a", "b"])
        #expect(try await ledger.deliveries("webhook", in: "pending").map(\.dueAt) == [start + 200, start + 200])
        await ledger.close()
    }

    @Test func whatIsDeliveredOrDeadIsNeverClaimedAgainEvenAfterARestart() async throws {
        var ledger = try await Ledger.open(directory: directory.path)
        for id in ["a", "b"] {
            try await ledger.begin(newSale(id), at: start)
            try await ledger.advance(id, from: ["created"], to: "approved", at: start)
        }
        var claimed = try await claim(ledger, at: start)
        try #require(claimed.count == 2)
        claimed[0].state = "delivered"
        claimed[1].state = "dead"
        for var record in claimed {
            record.tries = 1
            record.dueAt = nil
            try await ledger.record(record, at: start)
            record.state = "pending"
            record.dueAt = start
            try await ledger.record(record, at: start)
        }
        await ledger.close()
        ledger = try await Ledger.open(directory: directory.path)
        #expect(try await claim(ledger, at: .max - 100).isEmpty)
        #expect(try await ledger.deliveries("webhook", in: "delivered").map(\.transactionID) == ["a"])
        #expect(try await ledger.deliveries("webhook", in: "dead").map(\.tries) == [1])
        await ledger.close()
    }

    private func approved(_ ids: String..., in ledger: Ledger) async throws(LedgerError) {
        for id in ids {
            try await ledger.begin(newSale(id), at: start)
            try await ledger.advance(id, from: ["created"], to: "approved", at: start)
        }
    }

    @Test func nothingIsWrittenWhenThereIsNothingToTake() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await approved("a", in: ledger)
        _ = try await claim(ledger, at: start)
        let before = await ledger.activity
        #expect(try await claim(ledger, at: start + 99).isEmpty)
        #expect(await ledger.activity == before)
        await ledger.close()
    }

    @Test func whatWasPlannedBeforeTheClockWasSetBackIsDue() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await approved("a", in: ledger)
        _ = try await claim(ledger, at: start)
        func claimed(horizon: Int64) async throws(LedgerError) -> Int {
            try await ledger.claimDeliveries(
                "webhook", of: ["approved"], since: start, at: 0, until: 100, horizon: horizon
            ).count
        }
        #expect(try await claimed(horizon: start + 100) == 0)
        #expect(try await claimed(horizon: start + 99) == 1)
        await ledger.close()
    }

    @Test func oneIsTakenByItsTransactionAndADeadOneBeginsAgain() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await approved("a", in: ledger)
        try await ledger.begin(newSale("declined", state: "declined"), at: start)
        func take(_ id: String) async throws(LedgerError) -> DeliveryRecord {
            try await ledger.claimDelivery("webhook", of: id, states: ["approved"], at: start, until: start + 100)
        }
        var record = try await take("a")
        #expect(record.tries == 0 && record.state == "pending" && record.dueAt == start + 100)
        record.tries = 3
        record.dueAt = start + 500
        try await ledger.record(record, at: start, remark: "attempt 3")
        #expect(try await take("a").tries == 3)
        record.tries = 16
        record.state = "dead"
        record.dueAt = nil
        try await ledger.record(record, at: start, remark: "given up")
        #expect(try await take("a").tries == 0)
        #expect(try await ledger.deliveries("webhook", in: "pending").map(\.tries) == [0])
        record.state = "delivered"
        try await ledger.record(record, at: start)
        #expect(
            await failure { () async throws(LedgerError) in try await take("a") }?.code
                == .conflict(current: "delivered"))
        #expect(
            await failure { () async throws(LedgerError) in try await take("declined") }?.code
                == .conflict(current: "declined"))
        #expect(await failure { () async throws(LedgerError) in try await take("none") }?.code == .notFound)
        #expect(try await ledger.journal(of: "a").compactMap(\.detail) == ["attempt 3", "given up"])
        await ledger.close()
    }

    @Test func salesThatNobodyWasToldOfAreListedTheOldestFirst() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await approved("a", "b", "c", in: ledger)
        #expect(try await claim(ledger, at: start, limit: 1).map(\.transactionID) == ["a"])
        #expect(try await ledger.untoldSales("webhook", of: ["approved"], since: start) == ["b", "c"])
        #expect(try await ledger.untoldSales("other", of: ["approved"], since: start, limit: 2) == ["a", "b"])
        #expect(try await ledger.untoldSales("webhook", of: ["approved"], since: start + 1).isEmpty)
        #expect(try await ledger.nextDelivery("webhook") == start + 100)
        #expect(try await ledger.nextDelivery("other") == nil)
        await ledger.close()
    }
}
