import Ledger
import Payments
import Synchronization
import Testing
import Transport

/// What was approved without the host, and the day's batch.
@Suite struct OfflineSettlementTests {
    @Test("a sale that the host has not heard of blocks the batch; forwarded, it belongs to it, and both sides agree")
    func forwardedFirst() async throws {
        let kiosk = try await OfflineBed()
        let id = try await kiosk.storedSale("100.00")
        kiosk.restore()
        guard case .blocked(let payments)? = await kiosk.pipeline.settle().first else {
            Issue.record("the batch was not blocked")
            return
        }
        #expect(payments.map(\.record.id) == [id])
        #expect(payments.map(\.remedy) == [.forward])
        try await kiosk.recover()
        guard case .closed(let batch, leftOut: let left)? = await kiosk.pipeline.settle().first else {
            Issue.record("the batch was not closed")
            return
        }
        #expect(left.isEmpty)
        #expect(batch.hostAnswer == .agreed)
        #expect(batch.sums.salesAmount == 100_00)
        #expect(try await kiosk.record(id).batch == batch.number)
    }

    @Test("by force the batch is closed without it, and it is in the next one")
    func leftOut() async throws {
        let kiosk = try await OfflineBed(isCut: false)
        let online = try await kiosk.storedSale("20.00")
        kiosk.line.isCut.store(true, ordering: .relaxed)
        let stored = try await kiosk.storedSale("100.00")
        kiosk.restore()
        guard case .closed(let first, leftOut: let left)? = await kiosk.pipeline.settle(force: true).first else {
            Issue.record("the batch was not closed")
            return
        }
        #expect(left.map(\.record.id) == [stored])
        #expect(try await kiosk.record(online).batch == first.number)
        #expect(try await kiosk.record(stored).batch == nil)
        try await kiosk.recover()
        guard case .closed(let second, leftOut: _)? = await kiosk.pipeline.settle().first else {
            Issue.record("the second batch was not closed")
            return
        }
        #expect(second.number == first.number + 1)
        #expect(try await kiosk.record(stored).batch == second.number)
    }

    @Test("the receipt of a forwarded sale says what was printed, and is no contradiction to its row")
    func receipt() async throws {
        let kiosk = try await OfflineBed(seals: true)
        let id = try await kiosk.storedSale("100.00")
        let printed = try #require(try await kiosk.bed.receipt(id))
        kiosk.restore()
        try await kiosk.recover()
        #expect(try await kiosk.record(id).offline == .forwarded)
        #expect(try await kiosk.bed.receipt(id) == printed)
    }
}
