import Gateways
import Ledger
import Money
import Payments
import Synchronization
import Testing

/// A refund of a whole sale, which the host is told of as a void where it takes one.
@Suite struct RefundByVoidTests {
    @Test("all of a sale on its day goes back as a void: the reply is a refund's, and no batch has either")
    func void() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("100.00", tip: "15.00")
        let result = try await bed.refund(sale)
        let response = result.response
        #expect(result.returnedAs == .void)
        #expect(response.outcome == .approved && response.amount?.minorUnits == 115_00)
        let authorisation = try await bed.ledger.transaction(sale).authorisation
        #expect(response.authorization == authorisation)
        let record = try await bed.ledger.transaction(response.transactionID)
        #expect(record.kind == .refund && record.originalID == sale && record.returnedAs == .void)
        #expect(PaymentResult(record).response == response && PaymentResult(record).returnedAs == .void)
        #expect(try await bed.receipt(record.id)?.isApproved == true)
        #expect(try await bed.state(sale) == "refunded")
        #expect(bed.gateway.reversals.map(\.reason) == [.void])
        #expect(bed.gateway.refunds.isEmpty)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
        #expect(try await bed.refund(sale).failure?.sentence == "Everything of this sale has been refunded already.")
        guard case .nothing(let leftOut) = await bed.pipeline.settle().first else {
            Issue.record("neither moves money")
            return
        }
        #expect(leftOut.isEmpty)
    }

    @Test("a part, the rest after a part, and a sale in a batch go back as refunds")
    func refunds() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("100.00")
        #expect(try await bed.refund(sale, "40.00").returnedAs == .refund)
        #expect(try await bed.refund(sale).returnedAs == .refund)
        let settled = try await bed.approvedSale("50.00", tip: "1.00")
        _ = await bed.pipeline.settle()
        #expect(try await bed.state(settled) == "settled")
        #expect(try await bed.refund(settled).returnedAs == .refund)
        #expect(bed.gateway.reversals.isEmpty)
        #expect(bed.gateway.refunds.map(\.amount.minorUnits) == [40_00, 60_00, 51_00])
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("the choice is on disk before the host hears of it")
    func writtenAhead() async throws {
        let seen = Mutex<[ReturnOperation?]>([])
        let events = GatewayEvents(afterReversal: { ledger in
            let refunds = try? await ledger.transactions().filter { $0.kind == .refund }
            seen.withLock { $0 += refunds?.map(\.returnedAs) ?? [] }
        })
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        #expect(try await bed.refund(bed.approvedSale("100.00")).response.outcome == .approved)
        #expect(seen.withLock { $0 } == [.void])
    }

    @Test("a host that refuses three voids, or finds nothing to void, is told of a refund", arguments: [false, true])
    func refused(findsNothing: Bool) async throws {
        let answer = findsNothing ? ReversalResponse.nothingToReverse : .refused(.invalidTransaction)
        let seen = Mutex<[ReturnOperation?]>([])
        let events = GatewayEvents(
            afterRefund: { ledger in
                let refunds = try? await ledger.transactions().filter { $0.kind == .refund }
                seen.withLock { $0 += refunds?.map(\.returnedAs) ?? [] }
            }, answerToVoids: { answer })
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        let sale = try await bed.approvedSale("100.00")
        let result = try await bed.refund(sale)
        #expect(result.response.outcome == .approved && result.returnedAs == .refund)
        #expect(bed.gateway.reversals.count == (findsNothing ? 1 : 3))
        #expect(bed.gateway.refunds.count == 1)
        #expect(seen.withLock { $0 } == [.refund], "the other way is on disk before it is gone")
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
        let id = result.response.transactionID
        #expect(try await bed.ledger.transaction(id).returnedAs == .refund)
        let remarks = try await bed.ledger.journal(of: id).compactMap(\.detail)
        #expect(
            remarks
                == (findsNothing
                    ? ["the host finds nothing to void: refunded instead"]
                    : ["void refused (12)", "void refused (12)", "void refused (12): refunded instead"]))
        guard case .closed(let batch, _) = await bed.pipeline.settle().first else {
            Issue.record("not closed")
            return
        }
        #expect(batch.sums.sales == 1 && batch.sums.refunds == 1 && batch.hostAnswer == .agreed)
    }

    @Test("without an answer the outcome is unknown, the sale is in no batch, and recovery asks for the void again")
    func silence() async throws {
        let isLost = Atomic(false)
        let events = GatewayEvents(losesReversals: { isLost.load(ordering: .relaxed) })
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        let sale = try await bed.approvedSale("100.00")
        isLost.store(true, ordering: .relaxed)
        let result = try await bed.refund(sale)
        #expect(result.response.outcome == .unknown && result.returnedAs == nil)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0, "the host has done it")
        guard case .nothing = await bed.pipeline.settle(force: true).first else {
            Issue.record("a sale that may be taken back is in no batch")
            return
        }
        #expect(try await bed.recover().map(\.isOpen) == [true])
        isLost.store(false, ordering: .relaxed)
        let resolutions = try await bed.recover()
        #expect(resolutions.map(\.record.state) == ["approved"])
        #expect(resolutions.map(\.reason) == ["the host has voided the sale"])
        #expect(try await bed.state(sale) == "refunded")
        #expect(bed.gateway.refunds.isEmpty && bed.gateway.statusQuestions == 0)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("what recovery may not void is declined, and the sale can be refunded by a new request")
    func refusedLater() async throws {
        let isDown = Atomic(false)
        let events = GatewayEvents(
            answerToVoids: { .refused(.invalidTransaction) }, isDown: { isDown.load(ordering: .relaxed) })
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        let sale = try await bed.approvedSale("100.00")
        isDown.store(true, ordering: .relaxed)
        #expect(try await bed.refund(sale).response.outcome == .unknown)
        isDown.store(false, ordering: .relaxed)
        #expect(try await bed.recover().map(\.record.state) == ["declined"])
        #expect(try await bed.state(sale) == "approved")
        #expect(try await bed.refund(sale).response.outcome == .approved)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test("a host that refuses a repeated void is asked what became of the sale: it may have done the first one")
    func refusedRepeat() async throws {
        let isLost = Atomic(false)
        let isRefused = Atomic(false)
        let events = GatewayEvents(
            answerToVoids: { isRefused.load(ordering: .relaxed) ? .refused(.invalidTransaction) : nil },
            losesReversals: { isLost.load(ordering: .relaxed) })
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        let sale = try await bed.approvedSale("100.00")
        isLost.store(true, ordering: .relaxed)
        #expect(try await bed.refund(sale).response.outcome == .unknown)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0, "the host has done it")
        isRefused.store(true, ordering: .relaxed)
        let resolutions = try await bed.recover()
        #expect(resolutions.map(\.record.state) == ["approved"])
        #expect(resolutions.map(\.reason) == ["the host has voided the sale"])
        #expect(try await bed.state(sale) == "refunded")
        #expect(bed.gateway.statusQuestions == 1 && bed.gateway.refunds.isEmpty)
    }
}
