import Gateways
import Ledger
import Money
import Payments
import Synchronization
import Testing

/// A sale that is taken back on its own day.
@Suite struct VoidTests {
    private static func refusal(_ result: VoidResult) -> VoidRefusal? {
        guard case .refused(let refusal, _) = result else { return nil }
        return refusal
    }

    @Test("the whole sale goes back, tip included; a second void sends nothing")
    func whole() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("100.00", tip: "15.00")
        guard case .voided(let record) = await bed.pipeline.void(sale) else {
            Issue.record("not voided")
            return
        }
        #expect(record.state == "voided" && record.resolveAt == nil)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
        #expect(bed.gateway.reversals.map(\.reason) == [.void])
        #expect(bed.gateway.reversals.first?.amount.minorUnits == 11_500)
        let journal = try await bed.ledger.journal(of: sale).suffix(2)
        #expect(journal.map(\.detail) == ["void owed", "void"])
        guard case .alreadyVoided = await bed.pipeline.void(sale) else {
            Issue.record("sent again")
            return
        }
        #expect(bed.gateway.reversals.count == 1)
    }

    @Test("a void is for the day of the sale in Mexico City, to its last second")
    func day() async throws {
        let edge: Int64 = 11 * 3600 + 59 * 60 + 55
        let cases: [(seconds: Int64, isInTime: Bool)] = [(edge - 1, true), (edge, false)]
        for (seconds, isInTime) in cases {
            let bed = try await PaymentBed(random: CountingRandom())
            let sale = try await bed.sale("100.00").response.transactionID
            bed.wall.move(seconds: seconds)
            let result = await bed.pipeline.void(sale)
            #expect(Self.refusal(result) == (isInTime ? nil : .otherDay))
            #expect(try await bed.state(sale) == (isInTime ? "voided" : "approved"))
        }
    }

    @Test("what is declined, refunded or not there is not voided, and nothing is sent")
    func refusals() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let declined = try await bed.sale("50.00").response.transactionID
        #expect(Self.refusal(await bed.pipeline.void(declined)) == .notApproved)
        #expect(Self.refusal(await bed.pipeline.void("01ABC")) == .notFound)
        let sale = try await bed.approvedSale("100.00")
        let refund = try await bed.refund(sale, "40.00").response.transactionID
        #expect(Self.refusal(await bed.pipeline.void(sale)) == .partlyRefunded)
        #expect(Self.refusal(await bed.pipeline.void(refund)) == .notFound)
        #expect(bed.gateway.reversals.isEmpty)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 6_000)
    }

    @Test("without an answer the sale stays approved and cannot be refunded, until recovery has voided it")
    func silence() async throws {
        let isDown = Atomic(false)
        let events = GatewayEvents(isDown: { isDown.load(ordering: .relaxed) })
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        let sale = try await bed.approvedSale("100.00")
        isDown.store(true, ordering: .relaxed)
        guard case .unknown(_, let record) = await bed.pipeline.void(sale) else {
            Issue.record("the host is down")
            return
        }
        #expect(record.state == "approved" && record.resolveAt != nil && record.resolveTries == 1)
        #expect(try await bed.refund(sale).response.outcome == .unknown)
        #expect(try await bed.recover().map(\.isOpen) == [true])
        isDown.store(false, ordering: .relaxed)
        let resolutions = try await bed.recover()
        #expect(resolutions.map(\.record.state) == ["voided"])
        #expect(resolutions.map(\.reason) == ["it was to be voided; it is voided"])
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
        #expect(try await bed.recover().isEmpty)
    }

    @Test(
        "a host that refuses a repeated void is asked what became of the sale: it may have done the first one",
        arguments: [true, false])
    func refusedRepeat(isDone: Bool) async throws {
        let isLost = Atomic(false)
        let isRefused = Atomic(false)
        let isDown = Atomic(false)
        let events = GatewayEvents(
            answerToVoids: { isRefused.load(ordering: .relaxed) ? .refused(.invalidTransaction) : nil },
            losesReversals: { isLost.load(ordering: .relaxed) }, isDown: { isDown.load(ordering: .relaxed) })
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        let sale = try await bed.approvedSale("100.00")
        if isDone { isLost.store(true, ordering: .relaxed) } else { isDown.store(true, ordering: .relaxed) }
        guard case .unknown = await bed.pipeline.void(sale) else {
            Issue.record("nobody has said anything")
            return
        }
        isDown.store(false, ordering: .relaxed)
        isRefused.store(true, ordering: .relaxed)
        try await bed.recover()
        #expect(try await bed.state(sale) == (isDone ? "voided" : "approved"))
        #expect(try await bed.ledger.transaction(sale).resolveAt == nil)
        #expect(bed.issuers.bookedTotal(in: .mxn) == (isDone ? 0 : 100_00))
        #expect(bed.gateway.statusQuestions == 1)
    }
}
