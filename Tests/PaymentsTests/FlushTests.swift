import Ledger
import Money
import Payments
import Readers
import Testing

/// What a payment costs the disk.
@Suite struct FlushTests {
    @Test(
        "a sale makes four commits, or three when its card answers at once, and waits for the disk twice",
        arguments: [("100.00", true), ("50.00", true), ("100.00", false), ("50.00", false)])
    func sale(amount: String, takesItsTime: Bool) async throws {
        let record = AnswerRecord()
        let bed = try await PaymentBed(
            events: GatewayEvents(afterAuthorisation: { _ in record.expect() }), wall: record.wall)
        let before = await bed.ledger.activity
        let request = try SaleRequest(amount: pesos(amount), details: RequestDetails(identifier: "a"))
        let result = await bed.pipeline.sale(
            request,
            openReader: { () async throws(ReaderError) in
                guard takesItsTime, case .channel(let reader) = try await bed.openReader() else {
                    return try await bed.openReader()
                }
                return .channel(UnhurriedReader(reader, record))
            })
        let after = await bed.ledger.activity
        #expect(after.commits - before.commits == (takesItsTime ? 4 : 3))
        #expect(after.flushes - before.flushes == 2)
        // The lines are the same, whichever commit they are in.
        let journal = try await bed.ledger.journal(of: result.response.transactionID)
        #expect(
            journal.map(\.to.rawValue).dropLast() == [
                "created", "readerArmed", "cardPresented", "authorizing", "authorizing",
            ])
        #expect(journal.dropLast().last?.detail?.hasPrefix("host ") == true)
    }

    @Test("so does a refund")
    func refund() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("100.00")
        let before = await bed.ledger.activity.flushes
        _ = try await bed.refund(sale, "1.00", details: RequestDetails(identifier: "a"))
        #expect(await bed.ledger.activity.flushes - before == 2)
    }
}
