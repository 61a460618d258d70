import EMV
import Gateways
import Ledger
import Money
import Payments
import Readers
import Synchronization
import Testing
import Transport

/// The ledger cannot take the issuer's answer at once: the card does not wait for it, and it is not lost.
@Suite struct AnswerBesideCardTests {
    /// A reader that does something before it passes the last command for a cryptogram on, which carries the answer.
    private final class PausingReader: ChipReader {
        let model = "Pausing"
        private let inner: any ChipReader
        private let cryptograms = Mutex(0)
        private let beforeLast: @Sendable () async -> Void

        init(_ inner: any ChipReader, beforeLast: @escaping @Sendable () async -> Void) {
            self.inner = inner
            self.beforeLast = beforeLast
        }

        func transmit(_ command: CommandAPDU, until deadline: Deadline) async throws(ReaderError) -> ResponseAPDU {
            // GENERATE AC: Book 3, 6.5.5.
            if command.bytes.starts(with: [0x80, 0xAE]) {
                let number = cryptograms.withLock { number in
                    number += 1
                    return number
                }
                if number == 2 { await beforeLast() }
            }
            return try await inner.transmit(command, until: deadline)
        }

        func cardPresence(until deadline: Deadline) async throws(ReaderError) -> CardPresence {
            try await inner.cardPresence(until: deadline)
        }

        func waitForCard(until deadline: Deadline) async throws(ReaderError) {
            try await inner.waitForCard(until: deadline)
        }

        func powerOnCard(until deadline: Deadline) async throws(ReaderError) -> [UInt8] {
            try await inner.powerOnCard(until: deadline)
        }

        func powerOffCard() async { await inner.powerOffCard() }

        func waitForCardRemoval(until deadline: Deadline) async throws(ReaderError) -> Bool {
            try await inner.waitForCardRemoval(until: deadline)
        }

        func close() async { await inner.close() }
    }

    private static func sale(
        _ bed: PaymentBed, _ amount: String, beforeLast: @escaping @Sendable () async -> Void
    ) async throws -> PaymentResult {
        let request = try SaleRequest(amount: pesos(amount), details: RequestDetails())
        return await bed.pipeline.sale(
            request,
            openReader: { () async throws(ReaderError) in
                guard case .channel(let reader) = try await bed.openReader() else {
                    throw ReaderError(.unsupported, during: "opening the reader")
                }
                return .channel(PausingReader(reader, beforeLast: beforeLast))
            })
    }

    @Test("another program that writes does not keep the card waiting")
    func busy() async throws {
        let other = Mutex<OtherWriter?>(nil)
        let bed = try await PaymentBed(
            events: GatewayEvents(afterAuthorisation: { ledger in
                do {
                    let writer = try await OtherWriter(besides: ledger)
                    other.withLock { $0 = writer }
                } catch {
                    Issue.record(error)
                }
            }))
        // The card is reached while the other program still writes; a sale that waited for it would never get here.
        let result = try await Self.sale(bed, "20.00") {
            do { try other.withLock { $0 }?.finish() } catch { Issue.record(error) }
        }
        #expect(result.response.outcome == .approved)
        let record = try await bed.ledger.transaction(result.response.transactionID)
        #expect(record.state == PaymentState.approved.name && record.responseCode == "00")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 20_00)
        #expect(bed.gateway.reversals.isEmpty)
    }

    @Test(
        "an answer that the disk had no room for is written with the outcome",
        arguments: [("20.00", PaymentState.approved), ("50.00", .declined)])
    func full(amount: String, state: PaymentState) async throws {
        let wall = SettableWallClock(PaymentBed.noon)
        let begun = Mutex(false)
        let bed = try await PaymentBed(
            events: GatewayEvents(afterAuthorisation: { ledger in
                do { try await ledger.fillDisk() } catch { Issue.record(error) }
                // Each attempt to write begins with the time.
                wall.onNextReadings([{ begun.withLock { $0 = true } }])
            }), wall: wall)
        let ledger = bed.ledger
        let result = try await Self.sale(bed, amount) {
            while !begun.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
            // Its turn comes after that attempt's.
            do { try await ledger.makeRoomOnDisk() } catch { Issue.record(error) }
        }
        #expect(result.response.outcome == state.outcome)
        #expect(result.failure == nil)
        let record = try await ledger.transaction(result.response.transactionID)
        #expect(record.state == state.name)
        let code = try #require(record.responseCode)
        let journal = try await ledger.journal(of: record.id).suffix(2)
        #expect(journal.map(\.to) == [PaymentState.authorizing.name, state.name])
        #expect(journal.first?.detail == "host \(code)")
        #expect(bed.gateway.reversals.isEmpty)
    }
}
