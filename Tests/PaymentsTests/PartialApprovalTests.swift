import Gateways
import Ledger
import Money
import Payments
import SeededInput
import Synchronization
import Testing

/// The issuer approves less than was asked for (response code 10), and the merchant takes parts.
@Suite struct PartialApprovalTests {
    private static var accepting: SaleRules {
        var rules = SaleRules()
        rules.partialApproval = .accept
        return rules
    }

    private func bed(_ card: String = "visa-credit") async throws -> PaymentBed {
        try await PaymentBed(card: card, random: CountingRandom(), rules: Self.accepting)
    }

    /// The test amount 110.00 is approved for 100.00: the amount comes first, the rest is the tip.
    private static let splits = [
        (amount: "110.00", tip: nil, taken: "100.00", tipTaken: "0.00"), ("105.00", "5.00", "100.00", "0.00"),
        ("80.00", "30.00", "80.00", "20.00"), ("100.00", "10.00", "100.00", "0.00"),
    ]

    @Test("what is taken is told, recorded and printed", arguments: splits)
    func taken(amount: String, tip: String?, taken: String, tipTaken: String) async throws {
        let bed = try await bed()
        let result = try await bed.sale(amount, tip: tip, details: RequestDetails(identifier: "order-1"))
        #expect(result.response.outcome.result == "aprobada")
        #expect(result.failure == nil)
        #expect(result.response.statusInfo == .none)
        #expect(result.response.amount?.description == taken)
        #expect(result.response.tip?.description == tipTaken)
        #expect(result.response.authorization.count == 6)

        let record = try await bed.ledger.transaction(result.response.transactionID)
        #expect(record.state.rawValue == "approved")
        #expect(record.amount + record.tip == 100_00)
        #expect(record.approvedAmount == 100_00)
        #expect(record.responseCode == "10")
        let journal = try await bed.ledger.journal(of: record.id).map { "\($0.to.rawValue) \($0.detail ?? "")" }
        #expect(journal.suffix(2) == ["partiallyApproved 100.00 of 110.00 approved", "approved the part is taken"])

        let receipt = try #require(try await bed.receipt(record.id))
        #expect(receipt.asked?.description == "110.00")
        #expect(receipt.total.description == "100.00")
        let text = receipt.text(copy: .cardholder, language: .spanish)
        #expect(text.contains("Solicitado                      110.00 MXN\n"))
        #expect(text.contains("Total                           100.00 MXN\n"))
        #expect(receipt.html(copy: .merchant, language: .english).contains("<th>Asked for</th><td>110.00 MXN</td>"))

        // The card had agreed to all of it, and is told "approved".
        #expect(receipt.chip?.cryptogramType == "TC")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 100_00)
        let again = try await bed.sale(amount, tip: tip, details: RequestDetails(identifier: "order-1"))
        #expect(again.response == result.response)
        #expect(bed.gateway.requests.count == 1)
    }

    @Test("unless told otherwise the part is given back")
    func reversed() async throws {
        let bed = try await PaymentBed()
        let result = try await bed.sale("110.00")
        #expect(result.response.outcome == .failed)
        #expect(result.response.amount?.description == "110.00")
        #expect(try await bed.state(result.response.transactionID) == "reversed")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("refunds return what was taken, and not a cent more")
    func refunds() async throws {
        let bed = try await bed()
        let sale = try await bed.approvedSale("110.00")
        let tooMuch = try await bed.refund(sale, "100.01")
        #expect(tooMuch.response.statusInfo == .tooMuch)
        #expect(try await bed.refund(sale, "60.00").response.outcome == .approved)
        #expect(try await bed.state(sale) == "partiallyRefunded")
        #expect(try await bed.refund(sale, "40.01").response.statusInfo == .tooMuch)
        let rest = try await bed.refund(sale)
        #expect(rest.response.amount?.description == "40.00")
        #expect(try await bed.state(sale) == "refunded")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("a void takes back what was taken")
    func void() async throws {
        let bed = try await bed()
        let sale = try await bed.approvedSale("110.00")
        guard case .voided = await bed.pipeline.void(sale) else {
            Issue.record("not voided")
            return
        }
        #expect(bed.gateway.reversals.map(\.amount.description) == ["100.00"])
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("a card that refuses after the part was approved: it is given back")
    func cardRefuses() async throws {
        let bed = try await bed("declines-second")
        let result = try await bed.sale("110.00")
        #expect(result.response.outcome == .failed)
        #expect(try await bed.state(result.response.transactionID) == "reversed")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("a 'part' that is everything, more than that, or nothing is never taken", arguments: [110_00, 110_01, 0])
    func noPart(minorUnits: Int64) async throws {
        let bed = try await PaymentBed(
            rules: Self.accepting, host: { PartialHost($0, approved: { _ in minorUnits }) })
        let result = try await bed.sale("110.00")
        #expect(result.response.outcome == .failed)
        #expect(try await bed.state(result.response.transactionID) == "reversed")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test(
        "a part in another currency, and an approval over another sum, are never taken",
        arguments: ["110.00", "111.00"])
    func contradiction(amount: String) async throws {
        let currency: Currency = amount == "110.00" ? .usd : .mxn
        let told = try Amount(parsing: "100.00", currency: currency)
        let bed = try await PaymentBed(
            rules: Self.accepting, host: { PartialHost($0, told: { $0.approving(told) }) })
        let result = try await bed.sale(amount)
        #expect(result.response.outcome == .failed)
        let record = try await bed.ledger.transaction(result.response.transactionID)
        #expect(record.state.rawValue == "reversed")
        #expect(record.approvedAmount == (currency == .mxn ? 100_00 : nil))
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("an unknown sale of which a part was booked is taken back: the payer was told nothing")
    func recovered() async throws {
        let bed = try await PaymentBed(
            rules: Self.accepting,
            host: { issuers in
                let host = PartialHost(issuers)
                host.isSilent.withLock { $0 = true }
                return host
            })
        let id = try await bed.sale("110.00").response.transactionID
        #expect(try await bed.state(id) == "unknown")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 100_00)
        try await bed.recover()
        #expect(try await bed.state(id) == "reversed")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("a person who finds the part standing in the host's books approves the part")
    func decided() async throws {
        let bed = try await PaymentBed(
            host: { issuers in
                let host = PartialHost(issuers)
                host.refusesReversals.withLock { $0 = true }
                return host
            })
        let id = try await bed.sale("80.00", tip: "30.00").response.transactionID
        try await bed.recover()
        #expect(try await bed.state(id) == "manualReview")
        _ = try await Recovery(bed.pipeline).decide(id, as: .approved)
        let record = try await bed.ledger.transaction(id)
        #expect((record.amount, record.tip) == (80_00, 20_00))
        #expect(bed.issuers.bookedTotal(in: .mxn) == 100_00)
        let last = try #require(try await bed.ledger.journal(of: id).last)
        #expect(last.detail == "operator: approved, 100.00 of 110.00")
    }

    @Test("a host that approves a part of a refund: nobody knows what it did, and a person has to find out")
    func refundInPart() async throws {
        let bed = try await PaymentBed(
            random: CountingRandom(),
            host: { issuers in
                let host = PartialHost(issuers)
                host.halvesRefunds.withLock { $0 = true }
                return host
            })
        let sale = try await bed.approvedSale("250.00")
        let refund = try await bed.refund(sale, "40.00").response
        #expect(refund.outcome == .unknown)
        #expect(try await bed.state(refund.transactionID) == "unknown")
        try await bed.recover()
        #expect(try await bed.state(refund.transactionID) == "manualReview")
        // It may have taken its part of the sale.
        #expect(try await bed.refund(sale, "210.01").response.statusInfo == .tooMuch)
    }

    @Test("whatever part of whatever is approved and refunded, the ledger's sum is the host's", arguments: 1...4)
    func sums(seed: UInt64) async throws {
        let bed = try await PaymentBed(
            random: CountingRandom(), rules: Self.accepting,
            host: { PartialHost($0, approved: { Self.part(of: $0.minorUnits, seed) }) })
        var numbers = SeededNumbers(seed: seed)
        for _ in 0..<12 {
            let amount = Int64.random(in: 1...50_000, using: &numbers)
            let tip = Bool.random(using: &numbers) ? Int64.random(in: 0...9_000, using: &numbers) : 0
            let result = try await bed.sale(Self.text(amount), tip: Self.text(tip))
            guard result.response.outcome == .approved else { continue }
            bed.wall.move(seconds: 60)
            for _ in 0..<Int.random(in: 0...3, using: &numbers) {
                let refund = Int64.random(in: 1...30_000, using: &numbers)
                _ = try await bed.refund(result.response.transactionID, Self.text(refund))
            }
        }
        var total: Int64 = 0
        for try await record in try await bed.ledger.export() where record.outcome == "approved" {
            total += record.kind == .sale ? record.amount : -record.amount
            total += record.kind == .sale ? record.tip : 0
            if record.kind == .sale { #expect(record.amount + record.tip == record.approvedAmount) }
        }
        #expect(total == bed.issuers.bookedTotal(in: .mxn), "seed \(seed)")
        #expect(total > 0)
    }

    /// A part, now and then all of it (which is none), the same for the same amount.
    private static func part(of minorUnits: Int64, _ seed: UInt64) -> Int64 {
        var numbers = SeededNumbers(seed: UInt64(minorUnits) &+ seed)
        return Int64.random(in: 1...minorUnits, using: &numbers)
    }

    private static func text(_ minorUnits: Int64) -> String {
        Amount(minorUnits: minorUnits, currency: .mxn)?.description ?? ""
    }
}
