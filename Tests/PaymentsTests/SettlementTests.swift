import EMV
import Gateways
import Ledger
import Money
import Synchronization
import Testing
import Transport

@testable import Payments

/// The day's batch: counted, compared with the host, closed.
@Suite struct SettlementTests {
    private struct Unexpected: Error {
        let outcomes: [SettlementOutcome]
    }

    private static func closed(_ outcomes: [SettlementOutcome]) throws -> BatchRecord {
        guard outcomes.count == 1, case .closed(let batch, _) = outcomes[0] else {
            throw Unexpected(outcomes: outcomes)
        }
        return batch
    }

    private static func differing(_ outcomes: [SettlementOutcome]) throws -> BatchRecord {
        guard outcomes.count == 1, case .differs(let batch) = outcomes[0] else {
            throw Unexpected(outcomes: outcomes)
        }
        return batch
    }

    private static func blocked(_ outcomes: [SettlementOutcome]) throws -> [UnresolvedPayment] {
        guard outcomes.count == 1, case .blocked(let payments) = outcomes[0] else {
            throw Unexpected(outcomes: outcomes)
        }
        return payments
    }

    private static func isNothing(_ outcomes: [SettlementOutcome]) -> Bool {
        if outcomes.count == 1, case .nothing(let leftOut) = outcomes[0] { leftOut.isEmpty } else { false }
    }

    /// A sale that only the host knows.
    private static func plant(_ amount: String, _ bed: PaymentBed, attempt: String = "planted") async throws {
        try await bed.plant(amount, attempt: attempt)
    }

    @Test("sales and refunds are counted and closed; the host agrees")
    func day() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let first = try await bed.approvedSale("100.00", tip: "15.00")
        let second = try await bed.approvedSale("60.00")
        let third = try await bed.approvedSale("20.00")
        _ = try await bed.sale("50.00")
        let part = try await bed.refund(first, "40.00").response.transactionID
        // In two parts: all of it at once would be a void.
        for _ in 0..<2 { _ = try await bed.refund(third, "10.00") }
        guard case .voided = await bed.pipeline.void(second) else { return #expect(Bool(false), "not voided") }
        let batch = try Self.closed(await bed.pipeline.settle())
        #expect(batch.number == 1 && batch.hostAnswer == .agreed && !batch.isForced)
        #expect(
            batch.totals == [
                BatchTotal(kind: .sale, cardBrand: "VISA", count: 2, amount: 120_00, tip: 15_00),
                BatchTotal(kind: .refund, cardBrand: "VISA", count: 3, amount: 60_00, tip: 0),
            ])
        #expect(batch.sums.net == bed.issuers.bookedTotal(in: .mxn))
        #expect(try await bed.state(first) == "settled")
        #expect(try await bed.state(part) == "settled")
        // What was refunded in full stays so, and is in the batch.
        #expect(try await bed.state(third) == "refunded")
        #expect(try await bed.ledger.transaction(third).batch == 1)
        #expect(try await bed.state(second) == "voided")
        #expect(try await bed.ledger.transaction(second).batch == nil)
        #expect(Self.isNothing(await bed.pipeline.settle()))
        #expect(try await bed.ledger.lastBatch() == 1)
    }

    @Test("a number that the host has closed before, for a ledger that was lost, is passed over")
    func lostLedger() async throws {
        let first = try await PaymentBed(random: CountingRandom())
        _ = try await first.approvedSale("100.00")
        _ = try Self.closed(await first.pipeline.settle())
        let second = try await PaymentBed(random: SystemRandomSource(), host: { _ in first.issuers })
        let sale = try await second.approvedSale("77.00")
        let batch = try Self.closed(await second.pipeline.settle())
        #expect(batch.number == 2 && batch.hostAnswer == .agreed)
        #expect(batch.sums == BatchSums(sales: 1, salesAmount: 77_00))
        #expect(try await second.ledger.transaction(sale).batch == 2)
        let passedOver = try #require(try await second.ledger.batches().first { $0.number == 1 })
        #expect(passedOver.totals.isEmpty && passedOver.hostTotals == nil)
        #expect(try await second.ledger.batchDifference(currency: 484) == BatchSums())
    }

    @Test("without anything to settle the host is not asked")
    func nothing() async throws {
        let bed = try await PaymentBed()
        #expect(Self.isNothing(await bed.pipeline.settle()))
        _ = try await bed.sale("50.00")
        #expect(Self.isNothing(await bed.pipeline.settle()))
        #expect(bed.gateway.settlements.isEmpty)
    }

    @Test("what has no end blocks, each with what to do about it; force leaves it for the next batch")
    func unresolved() async throws {
        let isDown = Atomic(false)
        let bed = try await PaymentBed(
            random: CountingRandom(), events: GatewayEvents(isDown: { isDown.load(ordering: .relaxed) }))
        let sale = try await bed.approvedSale("100.00")
        let owed = try await bed.approvedSale("30.00")
        let unknown = try await bed.sale("190.00").response.transactionID
        let refund = try await bed.approvedSale("250.00")
        let unknownRefund = try await bed.refund(refund, "190.00").response.transactionID
        let review = try await bed.begin(in: .manualReview)
        let running = try await bed.begin(in: .authorizing, owner: bed.owner.id)
        let orphan = try await bed.begin(in: .cardPresented, owner: "gone")
        isDown.store(true, ordering: .relaxed)
        guard case .unknown = await bed.pipeline.void(owed) else { return #expect(Bool(false), "the host is down") }
        isDown.store(false, ordering: .relaxed)
        let blocked = try Self.blocked(await bed.pipeline.settle())
        #expect(
            Dictionary(uniqueKeysWithValues: blocked.map { ($0.record.id, $0.remedy) }) == [
                owed: .resolve, unknown: .resolve, unknownRefund: .resolve, review: .decide, running: .wait,
                orphan: .resolve,
            ])
        #expect(bed.gateway.settlements.isEmpty)
        #expect(try await bed.ledger.lastBatch() == 0)
        guard case .closed(let batch, let leftOut) = await bed.pipeline.settle(force: true).first else {
            return #expect(Bool(false), "not closed")
        }
        #expect(Set(leftOut.map(\.record.id)) == Set(blocked.map(\.record.id)))
        #expect(batch.isForced && batch.hostAnswer == .differs)
        #expect(batch.sums == BatchSums(sales: 2, salesAmount: 350_00))
        // The host has booked the sale of 190.00, that of 30.00 and the refund of 190.00 as well.
        #expect(
            batch.hostTotals == BatchSums(sales: 4, salesAmount: 570_00, refunds: 1, refundsAmount: 190_00))
        #expect(try await bed.state(sale) == "settled")
        #expect(try await bed.state(owed) == "approved")
    }

    @Test("what was left out and is taken back later evens out: the next batch is closed without force")
    func evened() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        _ = try await bed.approvedSale("100.00")
        let unknown = try await bed.sale("190.00").response.transactionID
        #expect(try Self.closed(await bed.pipeline.settle(force: true)).hostAnswer == .differs)
        _ = try await bed.recover()
        #expect(try await bed.state(unknown) == "reversed")
        _ = try await bed.approvedSale("20.00")
        let batch = try Self.closed(await bed.pipeline.settle())
        #expect(batch.hostAnswer == .evened && !batch.isForced && batch.number == 2)
        #expect(batch.sums == BatchSums(sales: 1, salesAmount: 20_00))
        #expect(batch.hostTotals == BatchSums(sales: 0, salesAmount: -170_00))
        #expect(bed.issuers.bookedTotal(in: .mxn) == 120_00)
        _ = try await bed.approvedSale("3.00")
        #expect(try Self.closed(await bed.pipeline.settle()).hostAnswer == .agreed)
    }

    @Test("a sale that only the host has: both sides are shown, nothing is closed, and force records the difference")
    func mismatch() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("100.00")
        try await Self.plant("7.00", bed)
        let batch = try Self.differing(await bed.pipeline.settle())
        #expect(batch.state == .differs && batch.sums == BatchSums(sales: 1, salesAmount: 100_00))
        #expect(batch.hostTotals == BatchSums(sales: 2, salesAmount: 107_00))
        // It is free again: it can be voided, and the number is that of the next batch.
        #expect(try await bed.ledger.transaction(sale).batch == nil)
        #expect(try await bed.state(sale) == "approved")
        let forced = try Self.closed(await bed.pipeline.settle(force: true))
        #expect(forced.number == 1 && forced.hostAnswer == .differs && forced.isForced)
        #expect(forced.hostTotals == BatchSums(sales: 2, salesAmount: 107_00))
        #expect(bed.gateway.settlements.map(\.closesAnyway) == [false, false, false, false, true])
        _ = try await bed.approvedSale("2.00")
        let next = try Self.closed(await bed.pipeline.settle())
        #expect(next.number == 2 && next.hostAnswer == .agreed)
    }

    @Test("an earlier difference excuses only its own opposite")
    func noExcuse() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        _ = try await bed.approvedSale("100.00")
        try await Self.plant("7.00", bed)
        _ = try Self.closed(await bed.pipeline.settle(force: true))
        _ = try await bed.approvedSale("20.00")
        try await Self.plant("7.00", bed, attempt: "planted2")
        _ = try Self.differing(await bed.pipeline.settle())
    }

    @Test("a sale that is approved while the host compares is no difference: it is counted again, with it")
    func race() async throws {
        let hook = Mutex<(@Sendable () async -> Void)?>(nil)
        var events = GatewayEvents()
        events.beforeSettlement = { _, _ in
            let next = hook.withLock { hook in
                defer { hook = nil }
                return hook
            }
            await next?()
        }
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        _ = try await bed.approvedSale("100.00")
        hook.withLock { hook in
            hook = {
                let sale = try? await bed.sale("20.00")
                #expect(sale?.response.outcome == .approved)
            }
        }
        let batch = try Self.closed(await bed.pipeline.settle())
        #expect(batch.hostAnswer == .agreed && batch.number == 1)
        #expect(batch.sums == BatchSums(sales: 2, salesAmount: 120_00))
    }

    @Test("a sale that is under way when the totals differ is waited for, not reported as a difference")
    func underWay() async throws {
        let hook = Mutex<(@Sendable () async -> Void)?>(nil)
        var events = GatewayEvents()
        events.beforeSettlement = { _, _ in
            let next = hook.withLock { hook in
                defer { hook = nil }
                return hook
            }
            await next?()
        }
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        _ = try await bed.approvedSale("100.00")
        hook.withLock { hook in
            hook = {
                _ = try? await Self.plant("20.00", bed)
                _ = try? await bed.begin(in: .authorizing, owner: bed.owner.id)
            }
        }
        let blocked = try Self.blocked(await bed.pipeline.settle())
        #expect(blocked.map(\.remedy) == [.wait])
    }

    @Test("when the books never stand still, that is said, and nothing is closed")
    func moving() async throws {
        let count = Atomic(0)
        let bed = Mutex<PaymentBed?>(nil)
        var events = GatewayEvents()
        events.beforeSettlement = { _, _ in
            let number = count.add(1, ordering: .relaxed).newValue
            _ = try? await bed.withLock { $0 }?.plant("1.00", attempt: "planted\(number)")
        }
        let made = try await PaymentBed(random: CountingRandom(), events: events)
        bed.withLock { $0 = made }
        _ = try await made.approvedSale("100.00")
        let outcomes = await made.pipeline.settle()
        guard case .moving(let batch) = outcomes.first else { throw Unexpected(outcomes: outcomes) }
        #expect(batch.state == .differs && count.load(ordering: .relaxed) == 6)
        bed.withLock { $0 = nil }
    }

    @Test(
        "no answer, before or after the host has closed: the next run goes on with the same number, and the rest follows"
    )
    func lost() async throws {
        for wasClosed in [false, true] {
            let isLost = Atomic(true)
            var events = GatewayEvents(isDown: { !wasClosed && isLost.load(ordering: .relaxed) })
            events.afterSettlement = { _ in
                isLost.load(ordering: .relaxed) ? .noAnswer(reason: "the line broke") : nil
            }
            isLost.store(false, ordering: .relaxed)
            let bed = try await PaymentBed(random: CountingRandom(), events: events)
            let sale = try await bed.approvedSale("100.00")
            isLost.store(true, ordering: .relaxed)
            let outcomes = await bed.pipeline.settle()
            guard case .noAnswer(let open, _) = outcomes.first else { throw Unexpected(outcomes: outcomes) }
            #expect(open.state == .closing && open.number == 1)
            isLost.store(false, ordering: .relaxed)
            // Nobody can say whether the host has it in its batch.
            guard case .refused(.settled, _) = await bed.pipeline.void(sale) else {
                return #expect(Bool(false), "voided")
            }
            _ = try await bed.approvedSale("20.00")
            let closed = try await bed.otherProgram().settle().map { try Self.closed([$0]) }
            #expect(closed.map(\.number) == (wasClosed ? [1, 2] : [1]))
            #expect(closed.map(\.sums.salesAmount) == (wasClosed ? [100_00, 20_00] : [120_00]))
            #expect(closed.allSatisfy { $0.hostAnswer == .agreed })
            #expect(Self.isNothing(await bed.pipeline.settle()))
            #expect(bed.issuers.bookedTotal(in: .mxn) == 120_00)
        }
    }

    @Test("a host that compares nothing: the batch is closed, and that nobody compared it is recorded")
    func notKept() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        _ = try await bed.approvedSale("100.00")
        let pipeline = PaymentPipeline(
            ledger: bed.ledger, owner: try RunningOwner.begin(in: bed.directory.path),
            gateway: UncomparingGateway(inner: bed.issuers), terminal: .mexicanKiosk, merchantName: "Cinco & Diez",
            clock: bed.clock, wallClock: bed.wall, random: CountingRandom(), zone: .mexicoCity())
        let batch = try Self.closed(await pipeline.settle())
        #expect(batch.hostAnswer == .notKept && batch.hostTotals == nil)
        pipeline.owner.end()
    }

    @Test("after settlement: no void; a refund in the window belongs to the next batch, the sale stays in its own")
    func afterwards() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("100.00", tip: "15.00")
        _ = try Self.closed(await bed.pipeline.settle())
        guard case .refused(.settled, _) = await bed.pipeline.void(sale) else {
            return #expect(Bool(false), "voided")
        }
        let part = try await bed.refund(sale, "40.00")
        #expect(part.response.outcome == .approved)
        #expect(try await bed.state(sale) == "partiallyRefunded")
        let second = try Self.closed(await bed.pipeline.settle())
        #expect(second.hostAnswer == .agreed && second.sums == BatchSums(refunds: 1, refundsAmount: 40_00))
        #expect(second.sums.net == -40_00)
        #expect(try await bed.ledger.transaction(sale).batch == 1)
        #expect(try await bed.state(sale) == "partiallyRefunded")
        // Of the settled refund's part nothing is left.
        #expect(try await bed.refund(sale, "75.01").response.statusInfo == .tooMuch)
        #expect(try await bed.refund(sale).response.outcome == .approved)
        #expect(try await bed.state(sale) == "refunded")
        let third = try Self.closed(await bed.pipeline.settle())
        #expect(third.sums == BatchSums(refunds: 1, refundsAmount: 75_00))
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
        bed.wall.move(seconds: 11 * 3600)
        #expect(try await bed.refund(sale, "1.00").response.statusInfo == .tooLate)
    }

    @Test("a batch takes no sale that is being voided, and a void no sale that a batch has taken in between")
    func voidRace() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("100.00")
        let before = try await bed.ledger.transaction(sale)
        guard
            case .opened = try await bed.ledger.openBatch(
                currency: 484, rule: .payments, isForced: false, at: PaymentBed.noon)
        else { return #expect(Bool(false), "not opened") }
        guard case .refused(.settled, _) = await VoidRun(pipeline: bed.pipeline).begin(before) else {
            return #expect(Bool(false), "sent")
        }
        #expect(bed.gateway.reversals.isEmpty)
        #expect(try await bed.ledger.transaction(sale).resolveAt == nil)
    }

    @Test("sixteen programs that settle at once close one batch")
    func programs() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        for _ in 0..<3 { _ = try await bed.approvedSale("100.00") }
        let outcomes = try await withThrowingTaskGroup(of: [SettlementOutcome].self) { group in
            for _ in 0..<16 {
                let program = try bed.otherProgram()
                group.addTask {
                    let outcomes = await program.settle()
                    program.owner.end()
                    return outcomes
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let numbers = outcomes.compactMap { if case .closed(let batch, _) = $0 { batch.number } else { nil } }
        #expect(numbers == [1])
        #expect(try await bed.ledger.batches().map(\.sums) == [BatchSums(sales: 3, salesAmount: 300_00)])
        #expect(bed.gateway.settlements.count == 1)
    }

    @Test("what is open is shown without changing anything or asking anybody")
    func open() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        #expect(try await OpenBatch.read(from: bed.ledger, dataDirectory: bed.directory.path).isEmpty)
        let sale = try await bed.approvedSale("100.00", tip: "15.00")
        _ = try await bed.refund(sale, "40.00")
        let unknown = try await bed.sale("190.00").response.transactionID
        let open = try await OpenBatch.read(from: bed.ledger, dataDirectory: bed.directory.path)
        #expect(open.map(\.currency) == [484])
        #expect(
            open.first?.totals == [
                BatchTotal(kind: .sale, cardBrand: "VISA", count: 1, amount: 100_00, tip: 15_00),
                BatchTotal(kind: .refund, cardBrand: "VISA", count: 1, amount: 40_00, tip: 0),
            ])
        #expect(open.first?.unresolved.map(\.record.id) == [unknown])
        #expect(open.first?.unclosed == nil)
        #expect(bed.gateway.settlements.isEmpty)
        #expect(try await bed.ledger.batches().isEmpty)
    }
}

extension PaymentBed {
    /// A sale that only the host knows, of this kiosk.
    func plant(_ amount: String, attempt: String) async throws {
        let terminal = pipeline.terminalIdentity
        let request = AuthorisationRequest(
            attempt: try #require(AttemptID(attempt)), amount: try pesos(amount), tip: .zero(.mxn),
            pan: try #require(PAN(digits: "4761739001010119".utf8.map { $0 - 0x30 })), panSequenceNumber: nil,
            expiry: try #require(CardExpiry(year: 2031, month: 12)), entryMode: .magneticStripe, chipData: [],
            terminal: terminal,
            moment: try #require(LocalDateTime(date: [0x26, 0x03, 0x02], time: [0x12, 0x00, 0x00])))
        _ = try await issuers.authorise(request, until: .after(.seconds(60), on: clock))
    }

    /// A sale of 5.00 that stands still in this state.
    func begin(in state: PaymentState, owner: String? = nil) async throws -> String {
        let id = TransactionID.make(atMilliseconds: wall.nowMilliseconds(), random: SystemRandomSource())
        try await ledger.begin(
            NewTransaction(id: id, state: state.name, amount: 5_00, tip: 0, currency: 484, owner: owner),
            at: wall.nowMilliseconds())
        return id
    }
}

/// A host without batches.
private struct UncomparingGateway: Gateway {
    let inner: IssuerSimulator
    var name: String { "uncomparing" }

    func authorise(
        _ request: AuthorisationRequest, until: Deadline
    ) async throws(GatewayError) -> AuthorisationResponse {
        try await inner.authorise(request, until: until)
    }

    func forward(_ advice: OfflineAdvice, until: Deadline) async throws(GatewayError) -> AuthorisationResponse {
        try await inner.forward(advice, until: until)
    }

    func refund(_ request: RefundAuthorisation, until: Deadline) async throws(GatewayError) -> AuthorisationResponse {
        try await inner.refund(request, until: until)
    }

    func reverse(_ request: ReversalRequest, until: Deadline) async throws(GatewayError) -> ReversalResponse {
        try await inner.reverse(request, until: until)
    }

    func settle(
        _ request: SettlementRequest, until: Deadline
    ) async throws(GatewayError) -> SettlementResponse {
        .notKept
    }

    func status(of attempt: AttemptID, until: Deadline) async throws(GatewayError) -> AttemptStatus {
        try await inner.status(of: attempt, until: until)
    }
}
