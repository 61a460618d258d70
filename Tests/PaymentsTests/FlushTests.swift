import Ledger
import Payments
import Testing

/// What a payment costs the disk.
@Suite struct FlushTests {
    @Test(
        "a sale makes four commits, and waits for the disk twice: for the intention and for the outcome",
        arguments: ["100.00", "50.00"])
    func sale(amount: String) async throws {
        let bed = try await PaymentBed()
        let before = await bed.ledger.activity
        _ = try await bed.sale(amount, details: RequestDetails(identifier: "a"))
        let after = await bed.ledger.activity
        #expect(after.commits - before.commits == 4)
        #expect(after.flushes - before.flushes == 2)
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
