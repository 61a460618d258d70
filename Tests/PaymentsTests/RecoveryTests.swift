import Gateways
import Ledger
import Money
import Synchronization
import Testing
import Transport

@testable import Payments

/// What becomes of payments that were left without an end.
@Suite(.serialized) struct RecoveryTests {
    /// A payment of a program that has ended.
    private static func leave(
        _ state: PaymentState, in bed: PaymentBed, kind: TransactionKind = .sale, id: String = "left",
        owner: String? = "ended", createdAt: Int64 = PaymentBed.noon
    ) async throws {
        try await bed.ledger.begin(
            NewTransaction(
                id: id, state: state.name, amount: 2_000, currency: 484, attemptID: id, owner: owner), at: createdAt)
    }

    private static func journal(_ bed: PaymentBed, _ id: String) async throws -> [String] {
        try await bed.ledger.journal(of: id).map { "\($0.to) \($0.detail ?? "")" }
    }

    @Test(
        "a payment that ended before the issuer was asked has failed, and no money moved",
        arguments: [PaymentState.created, .readerArmed, .cardPresented])
    func unasked(state: PaymentState) async throws {
        let bed = try await PaymentBed()
        try await Self.leave(state, in: bed)
        let resolution = try #require(try await bed.recover(.due).first)
        #expect(resolution.record.state == PaymentState.failed.name)
        #expect(resolution.found == state.name && !resolution.isOpen && !resolution.isUnderWay)
        #expect(resolution.record.outcome == "failed" && resolution.record.statusCode == "interrupted")
        #expect(
            try await Self.journal(bed, "left").last == "failed the program ended before the issuer was asked")
        #expect(bed.gateway.statusQuestions == 0 && bed.gateway.reversals.isEmpty)
    }

    @Test("an approval that nobody was told of is taken back, step by step in the journal")
    func approved() async throws {
        let bed = try await PaymentBed()
        let sale = try await bed.sale("190.00").response.transactionID
        #expect(bed.issuers.bookedTotal(in: .mxn) == 190_00)
        let plan = try #require(try await bed.ledger.transaction(sale).resolveAt)
        #expect(plan == PaymentBed.noon)
        let resolution = try #require(try await bed.recover(.due).first)
        #expect(resolution.record.state == PaymentState.reversed.name)
        #expect(resolution.record.statusInfo == "La transacción fue revertida" && resolution.record.resolveAt == nil)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
        #expect(
            try await Self.journal(bed, sale).suffix(3) == [
                "unknown gateway.noAnswer", "unknown reversal 1: the host had approved it",
                "reversed the host had approved it; it is reversed",
            ])
        #expect(try await bed.recover().isEmpty, "nothing is open any more")
    }

    @Test("a request that the host never saw is reversed all the same, so that it is refused when it comes late")
    func neverSeen() async throws {
        let bed = try await PaymentBed()
        try await Self.leave(.authorizing, in: bed)
        let resolution = try #require(try await bed.recover().first)
        #expect(resolution.record.state == PaymentState.reversed.name)
        #expect(bed.gateway.reversals.map(\.attempt.text) == ["left"])
        #expect(
            try await Self.journal(bed, "left") == [
                "authorizing ", "unknown the program ended while the issuer was asked",
                "unknown reversal 1: the host does not know it",
                "reversed the host does not know it; no money moved, and none will",
            ])
    }

    @Test("a part that was approved and that nobody took is reversed")
    func partial() async throws {
        let bed = try await PaymentBed()
        try await Self.leave(.partiallyApproved, in: bed)
        #expect(try await bed.recover().first?.record.state == PaymentState.reversed.name)
    }

    @Test("a payment in the hands of a program that runs is left alone, and is an orphan when that has ended")
    func running() async throws {
        let bed = try await PaymentBed()
        let other = try bed.otherProgram()
        try await Self.leave(.authorizing, in: bed, owner: other.owner.id)
        let resolution = try #require(try await bed.recover().first)
        #expect(resolution.isUnderWay && resolution.record.state == PaymentState.authorizing.name)
        other.owner.end()
        #expect(try await bed.recover().first?.record.state == PaymentState.reversed.name)
    }

    @Test("a payment of this program that it is not working on any more is an orphan too")
    func ownOrphan() async throws {
        let bed = try await PaymentBed()
        try await Self.leave(.cardPresented, in: bed, owner: bed.owner.id)
        #expect(try await bed.recover().first?.record.state == PaymentState.failed.name)
    }

    @Test("of several that resolve the same payment at the same moment one does it")
    func once() async throws {
        let bed = try await PaymentBed()
        let sale = try await bed.sale("190.00").response.transactionID
        let others = try (0..<8).map { _ in try bed.otherProgram() }
        await withTaskGroup(of: Void.self) { group in
            for other in others {
                group.addTask {
                    _ = try? await Recovery(other).run(.due, until: .after(.seconds(600), on: bed.clock))
                }
            }
        }
        #expect(try await bed.state(sale) == "reversed")
        #expect(bed.gateway.reversals.count == 1)
        let ends = try await bed.ledger.journal(of: sale).filter { $0.to == "reversed" }
        #expect(ends.count == 1)
    }

    @Test("without an answer the attempts are counted, planned further and further ahead, and given up after a day")
    func givenUp() async throws {
        let isDown = Mutex(false)
        let events = GatewayEvents(isDown: { isDown.withLock { $0 } })
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        _ = try await bed.sale("190.00")
        isDown.withLock { $0 = true }
        for tries in 1..<RecoverySchedule.fewestTries {
            let now = bed.wall.nowMilliseconds()
            let record = try #require(try await bed.recover(.due).first?.record)
            #expect(record.state == PaymentState.unknown.name && record.resolveTries == tries)
            let delay = try #require(record.resolveAt) - now
            #expect((0...RecoverySchedule.longestDelay).contains(delay))
            if delay > 0 { #expect(try await bed.recover(.due).isEmpty, "not before its time") }
            bed.wall.move(seconds: 900)
        }
        #expect(try await bed.recover(.due).first?.record.state == PaymentState.unknown.name)
        bed.wall.move(seconds: 24 * 3600)
        let last = try #require(try await bed.recover(.due).first)
        #expect(last.needsPerson && last.isOpen && last.record.resolveAt == nil)
        #expect(last.reason == "given up after 11 attempts (gateway.noAnswer)")
        #expect(try await bed.recover().isEmpty, "it waits for a person now")
    }

    @Test("a host that refuses the reversal leaves it to a person")
    func refused() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("100.00")
        #expect(try await bed.refund(sale, "10.00").response.outcome == .approved)
        // As if the sale had been left open: part of it was refunded, so the host does not take it back.
        try await bed.ledger.tamper("UPDATE transactions SET state = 'unknown' WHERE id = '\(sale)'")
        let resolution = try #require(try await bed.recover().first)
        #expect(resolution.needsPerson)
        #expect(resolution.reason == "the host refuses the reversal (12)")
    }

    @Test("a clock that was set back a year does not put an attempt off for a year")
    func clockSetBack() async throws {
        let bed = try await PaymentBed()
        _ = try await bed.sale("190.00")
        bed.wall.move(seconds: -31_536_000)
        #expect(try await bed.recover(.due).first?.record.state == PaymentState.reversed.name)
    }

    @Test("a refund that the host has done stands, with its receipt, and its sale moves on")
    func refundDone() async throws {
        let bed = try await PaymentBed(random: CountingRandom())
        let sale = try await bed.approvedSale("250.00")
        let refund = try await bed.refund(sale, "190.00").response
        #expect(refund.outcome == .unknown)
        #expect(try await bed.state(sale) == "approved")
        #expect(try await bed.recover(.due).first?.record.state == PaymentState.approved.name)
        #expect(try await bed.state(sale) == "partiallyRefunded")
        let record = try await bed.ledger.transaction(refund.transactionID)
        let receipt = try #require(record.receipt.flatMap(Receipt.init(json:)))
        #expect(receipt.isApproved && receipt.amount.minorUnits == 190_00 && receipt.lastFour == "0119")
        #expect(record.outcome == "approved" && record.approvedAt != nil && record.authorisation?.utf8.count == 6)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 60_00)
    }

    @Test("a refund that the host never saw did not take place, and what it held is free again")
    func refundLost() async throws {
        let isDown = Mutex(false)
        let events = GatewayEvents(isDown: { isDown.withLock { $0 } })
        let bed = try await PaymentBed(random: CountingRandom(), events: events)
        let sale = try await bed.approvedSale("250.00")
        isDown.withLock { $0 = true }
        #expect(try await bed.refund(sale, "200.00").response.outcome == .unknown)
        isDown.withLock { $0 = false }
        #expect(try await bed.recover().first?.record.state == PaymentState.reversed.name)
        #expect(try await bed.refund(sale).response.amount?.minorUnits == 250_00)
        #expect(bed.issuers.bookedTotal(in: .mxn) == 0)
    }

    @Test(
        "a person ends what is in manual review, and only that; the journal says that it was a person",
        arguments: OperatorDecision.allCases)
    func operators(decision: OperatorDecision) async throws {
        let bed = try await PaymentBed()
        try await Self.leave(.unknown, in: bed)
        await #expect(throws: OperatorDecisionError.self) {
            try await Recovery(bed.pipeline).decide("left", as: decision)
        }
        try await bed.ledger.advance("left", from: ["unknown"], to: "manualReview", at: PaymentBed.noon)
        let resolution = try await Recovery(bed.pipeline).decide("left", as: decision)
        #expect(resolution.record.state.rawValue == decision.rawValue)
        #expect(try await Self.journal(bed, "left").last == "\(decision.rawValue) operator: \(decision.rawValue)")
        await #expect(throws: OperatorDecisionError.self) {
            try await Recovery(bed.pipeline).decide("left", as: decision)
        }
        #expect(bed.gateway.reversals.isEmpty && bed.gateway.statusQuestions == 0)
    }

    @Test("nothing is left in the directory of those that run")
    func noFiles() async throws {
        let bed = try await PaymentBed()
        _ = try await bed.sale("190.00")
        try await bed.recover()
        bed.owner.end()
        let other = try bed.otherProgram()
        #expect(try files(in: bed.directory.path + "/running") == [other.owner.id])
        other.owner.end()
        #expect(try files(in: bed.directory.path + "/running").isEmpty)
    }
}
