import FirmwareCores
import Gateways
import InProcessMock
import Ledger
import Money
import Payments
import ReaderWire
import Readers
import Synchronization
import Testing
import Transport
import USBDescriptors

/// How much is approved without the host: 300.00 for one, 500.00 in all, three at a time, for a day.
@Suite struct OfflineCapTests {
    private static func sell(_ kiosk: OfflineBed, _ amount: String, tip: String? = nil) async throws -> String {
        let response = try await kiosk.sale(amount, tip: tip).response
        guard response.outcome != .approved else { return "approved" }
        #expect(kiosk.bed.cardLog?.secondAsked == 0x00, "the card was not asked for a TC")
        return try await kiosk.bed.ledger.journal(of: response.transactionID).last?.detail ?? ""
    }

    private static func refusal(_ cap: String) -> String { "gateway.notSent; not approved offline: cap \(cap)" }

    @Test("one sale, tip included, up to its cap")
    func perSale() async throws {
        let kiosk = try await OfflineBed()
        #expect(try await Self.sell(kiosk, "300.01") == Self.refusal("perSale"))
        #expect(try await Self.sell(kiosk, "280.00", tip: "20.01") == Self.refusal("perSale"))
        #expect(try await Self.sell(kiosk, "280.00", tip: "20.00") == "approved")
    }

    @Test("all together up to their cap")
    func total() async throws {
        let kiosk = try await OfflineBed()
        #expect(try await Self.sell(kiosk, "300.00") == "approved")
        #expect(try await Self.sell(kiosk, "200.01") == Self.refusal("total"))
        #expect(try await Self.sell(kiosk, "200.00") == "approved")
        #expect(try await Self.sell(kiosk, "0.01") == Self.refusal("total"))
        #expect(try await kiosk.held() == StoredTotal(count: 2, amount: 500_00))
    }

    @Test("so many, until the host has heard of them")
    func count() async throws {
        let kiosk = try await OfflineBed()
        for _ in 0..<3 { #expect(try await Self.sell(kiosk, "1.00") == "approved") }
        #expect(try await Self.sell(kiosk, "1.00") == Self.refusal("count"))
        kiosk.restore()
        try await kiosk.recover()
        kiosk.line.isCut.store(true, ordering: .relaxed)
        #expect(try await Self.sell(kiosk, "1.00") == "approved")
    }

    @Test("none while one waits for longer than it may; it is forwarded all the same")
    func wait() async throws {
        let kiosk = try await OfflineBed()
        #expect(try await Self.sell(kiosk, "1.00") == "approved")
        kiosk.bed.wall.move(seconds: 86_400)
        #expect(try await Self.sell(kiosk, "1.00") == "approved")
        kiosk.bed.wall.move(seconds: 1)
        #expect(try await Self.sell(kiosk, "1.00") == Self.refusal("wait"))
        kiosk.restore()
        try await kiosk.recover()
        #expect(kiosk.booked == 2_00)
    }

    @Test("another currency than that of the caps is not approved")
    func currency() async throws {
        let kiosk = try await OfflineBed()
        let dollars = try SaleRequest(
            amount: Amount(parsing: "1.00", currency: .usd), details: RequestDetails())
        let result = await kiosk.pipeline.sale(dollars, openReader: kiosk.bed.openReader)
        #expect(result.response.outcome == .failed && kiosk.bed.cardLog?.secondAsked == 0x00)
    }

    /// A reader of its own, with a card in it and its own time, at the kiosk's ledger and line.
    private struct Place {
        let clock = VirtualClock()
        let device: InProcessDevice
        let pipeline: PaymentPipeline

        init(_ kiosk: OfflineBed, _ random: CountingRandom) throws {
            device = InProcessDevice(core: try CCIDReaderCore.make(options: ["card": "visa-offline"]), clock: clock)
            var approvals = try OfflineBed.approvals()
            approvals.count = 5
            pipeline = try OfflineBed.program(
                kiosk.bed, owner: kiosk.bed.owner, approvals, OfflineBed.key, clock: clock, random: random)
        }

        @Sendable func open() async throws(ReaderError) -> OpenedReader {
            try await device.openCCIDReader(clock: clock)
        }
    }

    @Test(
        "sixteen readers at the same time never exceed a cap",
        arguments: [("60.00", 5), ("100.00", 5), ("150.00", 3)])
    func parallel(amount: String, approved: Int) async throws {
        let kiosk = try await OfflineBed()
        let random = CountingRandom()
        let places = try (0..<16).map { _ in try Place(kiosk, random) }
        let request = try SaleRequest(amount: pesos(amount), details: RequestDetails())
        let outcomes = await withTaskGroup(of: PaymentOutcome.self) { group in
            for place in places {
                group.addTask { await place.pipeline.sale(request, openReader: place.open).response.outcome }
            }
            return await group.reduce(into: [PaymentOutcome]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .approved } == approved)
        #expect(outcomes.count { $0 == .failed } == 16 - approved)
        let held = try await kiosk.held()
        #expect(held.count == approved && held.amount <= 500_00)
        kiosk.restore()
        try await kiosk.recover()
        #expect(kiosk.booked == held.amount && kiosk.advices == approved)
    }
}
