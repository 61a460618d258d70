import EMV
import Gateways
import Ledger
import Money
import Payments
import Readers
import Synchronization
import Testing
import Transport

/// What cannot be remembered is not begun.
@Suite struct LedgerFailureTests {
    /// A reader that remembers which of its calls were made.
    private final class IdleReader: ChipReader {
        let model = "Idle"
        private let made = Mutex<[String]>([])

        var calls: [String] { made.withLock { $0 } }

        private func note(_ call: String) { made.withLock { $0.append(call) } }

        func cardPresence(until deadline: Deadline) async throws(ReaderError) -> CardPresence {
            note("presence")
            return .absent
        }

        func waitForCard(until deadline: Deadline) async throws(ReaderError) {
            note("wait")
            throw ReaderError(.cardNotInserted, during: "waiting")
        }

        func powerOnCard(until deadline: Deadline) async throws(ReaderError) -> [UInt8] {
            note("power on")
            return []
        }

        func transmit(_ command: CommandAPDU, until deadline: Deadline) async throws(ReaderError) -> ResponseAPDU {
            note("transmit")
            return ResponseAPDU(status: StatusWord(0x6F00))
        }

        func powerOffCard() async { note("power off") }

        func waitForCardRemoval(until deadline: Deadline) async throws(ReaderError) -> Bool { true }

        func close() async { note("close") }
    }

    private static func notStarted(
        _ bed: PaymentBed, identifier: String = "", calls: [String] = ["close"]
    ) async throws {
        let reader = IdleReader()
        let request = try SaleRequest(amount: pesos("20.00"), details: RequestDetails(identifier: identifier))
        let told = Told()
        let result = await bed.pipeline.sale(
            request, openReader: { () async throws(ReaderError) in .channel(reader) }, progress: { told.add($0) })
        #expect(result.response.outcome == .failed)
        #expect(result.response.statusInfo == .storageFailed)
        #expect(result.response.statusInfo.text == "No se pudo registrar la transacción")
        #expect(result.response.transactionID.isEmpty)
        #expect(result.response.identifier == identifier)
        guard case .ledger = result.failure else {
            Issue.record("the ledger is not named as the cause")
            return
        }
        #expect(reader.calls == calls)
        #expect(told.all.isEmpty)
        #expect(bed.gateway.requests.isEmpty)
    }

    @Test("with a closed ledger no card is asked for")
    func closed() async throws {
        let bed = try await PaymentBed()
        await bed.ledger.close()
        try await Self.notStarted(bed)
        try await Self.notStarted(bed, identifier: "a", calls: [])
    }

    @Test("with a ledger whose directory is gone no card is asked for")
    func directoryGone() async throws {
        let bed = try await PaymentBed()
        bed.directory.remove()
        try await Self.notStarted(bed)
        try await Self.notStarted(bed, identifier: "a")
    }

    @Test("a ledger that was opened for reading begins nothing")
    func readOnly() async throws {
        let bed = try await PaymentBed()
        let reading = try await Ledger.openReadOnly(directory: bed.directory.path)
        let pipeline = PaymentPipeline(
            ledger: reading, owner: bed.owner, gateway: bed.gateway, terminal: .mexicanKiosk, merchantName: "",
            clock: bed.clock,
            wallClock: bed.wall, random: PlainRandom(), zone: .mexicoCity())
        let reader = IdleReader()
        let request = try SaleRequest(amount: pesos("20.00"), details: RequestDetails())
        let result = await pipeline.sale(request, openReader: { () async throws(ReaderError) in .channel(reader) })
        #expect(result.response.statusInfo == .storageFailed)
        #expect(reader.calls == ["close"])
    }

    @Test("a refund that cannot be recorded is not sent")
    func refund() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("250.00")
        await bed.ledger.close()
        let result = try await bed.refund(sale, "10.00")
        #expect(result.response.outcome == .failed)
        #expect(result.response.statusInfo == .storageFailed)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 25_000)
    }
}
