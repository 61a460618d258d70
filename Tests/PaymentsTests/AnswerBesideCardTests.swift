import Gateways
import Ledger
import Money
import Payments
import Readers
import Synchronization
import Testing
import Transport

/// The issuer's answer is written while the card works on it: the card does not wait for it, and it is not lost.
@Suite struct AnswerBesideCardTests {
    private static func sale(
        _ bed: PaymentBed, _ amount: String, _ record: AnswerRecord, afterwards: @escaping @Sendable () async -> Void
    ) async throws -> PaymentResult {
        let request = try SaleRequest(amount: pesos(amount), details: RequestDetails())
        return await bed.pipeline.sale(
            request,
            openReader: { () async throws(ReaderError) in
                guard case .channel(let reader) = try await bed.openReader() else {
                    throw ReaderError(.unsupported, during: "opening the reader")
                }
                return .channel(UnhurriedReader(reader, record, afterwards: afterwards))
            })
    }

    @Test("another program that writes does not keep the card waiting")
    func busy() async throws {
        let other = Mutex<OtherWriter?>(nil)
        let record = AnswerRecord()
        let bed = try await PaymentBed(
            events: GatewayEvents(afterAuthorisation: { ledger in
                do {
                    let writer = try await OtherWriter(besides: ledger)
                    other.withLock { $0 = writer }
                } catch {
                    Issue.record(error)
                }
                record.expect()
            }), wall: record.wall)
        // The card is reached while the other program still writes; a sale that waited for it would never get here.
        let result = try await Self.sale(bed, "20.00", record) {
            do { try other.withLock { $0 }?.finish() } catch { Issue.record(error) }
        }
        #expect(result.response.outcome == .approved)
        let sale = try await bed.ledger.transaction(result.response.transactionID)
        #expect(sale.state == PaymentState.approved.name && sale.responseCode == "00")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 20_00)
        #expect(bed.gateway.reversals.isEmpty)
    }

    @Test(
        "an answer that the disk had no room for is written with the outcome",
        arguments: [("20.00", PaymentState.approved), ("50.00", .declined)])
    func full(amount: String, state: PaymentState) async throws {
        let record = AnswerRecord()
        let bed = try await PaymentBed(
            events: GatewayEvents(afterAuthorisation: { ledger in
                do { try await ledger.fillDisk() } catch { Issue.record(error) }
                record.expect()
            }), wall: record.wall)
        let ledger = bed.ledger
        let result = try await Self.sale(bed, amount, record) {
            // Its turn comes after that of the attempt.
            do { try await ledger.makeRoomOnDisk() } catch { Issue.record(error) }
        }
        #expect(result.response.outcome == state.outcome)
        #expect(result.failure == nil)
        let sale = try await ledger.transaction(result.response.transactionID)
        #expect(sale.state == state.name)
        let code = try #require(sale.responseCode)
        let journal = try await ledger.journal(of: sale.id).suffix(2)
        #expect(journal.map(\.to) == [PaymentState.authorizing.name, state.name])
        #expect(journal.first?.detail == "host \(code)")
        #expect(bed.gateway.reversals.isEmpty)
    }
}
