import EMV
import Ledger
import Money
import Payments
import Readers
import Testing

/// A plan of months without interest is offered from an amount on, tip included.
@Suite struct InstalmentMinimumTests {
    private static func bed() async throws -> PaymentBed {
        var rules = SaleRules()
        rules.instalmentMinimums = [.six: try pesos("115.00"), .three: .zero(.mxn)]
        return try await PaymentBed(random: CountingRandom(), rules: rules)
    }

    @Test("one cent below it the sale is refused before the reader is armed, and nothing is recorded")
    func below() async throws {
        let bed = try await Self.bed()
        let result = await bed.pipeline.sale(
            try SaleRequest(
                amount: pesos("100.00"), tip: pesos("14.99"), instalments: .six,
                details: RequestDetails(identifier: "order-1")),
            openReader: { () async throws(ReaderError) in
                Issue.record("the reader was opened")
                throw ReaderError(.notFound, during: "the test")
            })
        #expect(result.response.outcome == .failed)
        #expect(result.response.statusInfo == .msiMinimum(months: 6))
        #expect(result.response.statusInfo.text == "El monto no alcanza el mínimo para 6 meses")
        #expect(result.response.identifier == "order-1")
        #expect(
            result.failure?.sentence
                == "6 months without interest are offered from 115.00 MXN on, tip included. Choose fewer months, or 0.")
        #expect(try await bed.ledger.transactions().isEmpty)
    }

    @Test(
        "from it on, with fewer months, with a plan that has none, and without a plan it is made",
        arguments: [
            ("100.00", "15.00", Instalments.six), ("1.00", "0.00", .three), ("1.00", "0.00", .twelve),
            ("1.00", "0.00", .single),
        ])
    func above(amount: String, tip: String, plan: Instalments) async throws {
        let bed = try await Self.bed()
        let result = try await bed.sale(amount, tip: tip, instalments: plan)
        #expect(result.response.outcome == .approved)
        #expect(result.response.instalments == plan)
    }

    @Test("an answer that was given before the minimum was raised is given again")
    func repeated() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let details = try RequestDetails(identifier: "order-1")
        let first = try await bed.sale("100.00", instalments: .six, details: details)
        var rules = SaleRules()
        rules.instalmentMinimums = [.six: try pesos("500.00")]
        let stricter = PaymentPipeline(
            ledger: bed.ledger, owner: try RunningOwner.begin(in: bed.directory.path), gateway: bed.gateway,
            terminal: .mexicanKiosk, merchantName: "Cinco & Diez", clock: bed.clock, wallClock: bed.wall,
            random: CountingRandom(), zone: .mexicoCity(), rules: rules, receiptSeal: bed.seal)
        let request = try SaleRequest(amount: pesos("100.00"), instalments: .six, details: details)
        let again = await stricter.sale(
            request, openReader: { () async throws(ReaderError) in try await bed.openReader() })
        #expect(again.response == first.response)
        #expect(first.response.outcome == .approved)
    }
}
