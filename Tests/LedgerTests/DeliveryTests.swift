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
}
