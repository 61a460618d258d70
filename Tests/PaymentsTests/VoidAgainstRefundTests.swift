import Gateways
import Ledger
import Money
import Payments
import Testing

/// A void and a refund of the same sale at the same moment: the ledger decides which of them the host hears of.
@Suite struct VoidAgainstRefundTests {
    @Test("in a hundred rounds exactly one of the two is done, and the books agree to the cent")
    func rounds() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let other = try bed.otherProgram()
        var (voids, refunds) = (0, 0)
        for round in 0..<100 {
            let sale = try await bed.approvedSale("100.00")
            let request = try RefundRequest(
                transactionID: sale, amount: try pesos("40.00"), details: RequestDetails())
            async let voiding = bed.pipeline.void(sale)
            async let refunding = round.isMultiple(of: 2) ? other.refund(request) : bed.pipeline.refund(request)
            let (voided, refunded) = await (voiding, refunding.response)
            let isRefunded = refunded.outcome == .approved
            switch voided {
            case .voided:
                #expect(!isRefunded && (refunded.outcome == .unknown || refunded.outcome == .failed))
                voids += 1
            case .refused(.partlyRefunded, _):
                #expect(isRefunded)
                refunds += 1
            default: Issue.record("\(voided)")
            }
            #expect(try await bed.state(sale) == (isRefunded ? "partiallyRefunded" : "voided"))
        }
        #expect(voids + refunds == 100)
        #expect(bed.issuers.bookedTotal(in: .mxn) == Int64(refunds) * 60_00)
        let ledger = try await bed.ledger.transactions(limit: Ledger.largestAnswer)
        let net = ledger.reduce(Int64(0)) { sum, record in
            switch record.state {
            case "approved" where record.kind == .refund: sum - record.amount
            case "partiallyRefunded": sum + record.amount
            default: sum
            }
        }
        #expect(net == Int64(refunds) * 60_00)
        #expect(try await Recovery(bed.pipeline).unresolved().isEmpty)
    }

    @Test("a refund that has begun stands in the way, also where the void was asked before it was seen")
    func refundFirst() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("100.00")
        try await bed.ledger.beginRefund(
            NewTransaction(id: "r", state: "created", amount: 1_00, currency: 484), ofOriginal: sale, countedStates: [],
            originalStates: ["approved"], limitMinorUnits: 100_00, at: PaymentBed.noon)
        guard case .refused(.partlyRefunded, _) = await bed.pipeline.void(sale) else {
            Issue.record("not refused")
            return
        }
        #expect(bed.gateway.reversals.isEmpty)
        #expect(try await bed.ledger.transaction(sale).resolveAt == nil)
    }

    @Test("a void of which the host had nothing says so in the journal")
    func nothingToReverse() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("100.00")
        try await bed.ledger.tamper("UPDATE transactions SET attempt_id = 'never-seen' WHERE id = '\(sale)'")
        guard case .voided = await bed.pipeline.void(sale) else {
            Issue.record("not voided")
            return
        }
        #expect(
            try await bed.ledger.journal(of: sale).suffix(2).map(\.detail)
                == ["void owed", "void: the host had nothing to reverse"])
    }
}
