import Ledger
import Testing

@Suite struct RefundTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func approvedSale(_ ledger: Ledger, amount: Int64, tip: Int64 = 0) async throws {
        try await ledger.begin(newSale("sale", amount: amount, tip: tip), at: start)
        try await ledger.advance("sale", from: ["created"], to: "approved", at: start)
    }

    private static func refund(
        _ id: String, _ amount: Int64, limit: Int64, in ledger: Ledger, of original: String = "sale"
    ) async -> LedgerError.Code? {
        await failure { () throws(LedgerError) in
            try await ledger.beginRefund(
                newSale(id, amount: amount), ofOriginal: original, countedStates: ["created", "approved", "unknown"],
                originalStates: ["approved", "partiallyRefunded"], limitMinorUnits: limit, at: start)
        }?.code
    }

    /// The worked example of the refund rule: a sale of 250.00.
    @Test func refundsAddUpToTheLimitAndNoFurther() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await approvedSale(ledger, amount: 25_000)
        #expect(await Self.refund("r1", 10_000, limit: 25_000, in: ledger) == nil)
        #expect(
            await Self.refund("r2", 15_001, limit: 25_000, in: ledger) == .limitExceeded(alreadyCounted: 10_000))
        #expect(await Self.refund("r3", 15_000, limit: 25_000, in: ledger) == nil)
        #expect(await Self.refund("r4", 1, limit: 25_000, in: ledger) == .limitExceeded(alreadyCounted: 25_000))
        let refunds = try await ledger.refunds(of: "sale")
        #expect(refunds.map(\.id) == ["r1", "r3"])
        #expect(refunds.allSatisfy { $0.kind == .refund && $0.originalID == "sale" })
        await ledger.close()
    }

    @Test func aRefundThatFailedFreesItsAmount() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await approvedSale(ledger, amount: 10_000)
        #expect(await Self.refund("r1", 10_000, limit: 10_000, in: ledger) == nil)
        try await ledger.advance("r1", from: ["created"], to: "declined", at: start)
        #expect(await Self.refund("r2", 10_000, limit: 10_000, in: ledger) == nil)
        await ledger.close()
    }

    @Test func aSaleThatIsMissingOrNotApprovedCannotBeRefunded() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        #expect(await Self.refund("r1", 1, limit: 1, in: ledger) == .notFound)
        try await ledger.begin(newSale("sale"), at: start)
        #expect(await Self.refund("r1", 1, limit: 1, in: ledger) == .conflict(current: "created"))
        try await ledger.advance("sale", from: ["created"], to: "approved", at: start)
        #expect(await Self.refund("r1", 1, limit: 1, in: ledger) == nil)
        try await ledger.advance("r1", from: ["created"], to: "approved", at: start)
        #expect(await Self.refund("r2", 1, limit: 9, in: ledger, of: "r1") == .notFound)
        await ledger.close()
    }

    @Test(arguments: [Int64.max, Int64.min, -1])
    func anAmountThatNoRefundHasIsRefused(amount: Int64) async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await approvedSale(ledger, amount: 10_000)
        #expect(await Self.refund("r1", 1, limit: 10_000, in: ledger) == nil)
        #expect(await Self.refund("r2", amount, limit: 10_000, in: ledger) != nil)
        #expect(try await ledger.refunds(of: "sale").map(\.id) == ["r1"])
        await ledger.close()
    }

    @Test func ofFiftyParallelRefundsExactlyTheCoveredOnesBegin() async throws {
        let ledgers = [
            try await Ledger.open(directory: directory.path, busyTimeout: 60_000),
            try await Ledger.open(directory: directory.path, busyTimeout: 60_000),
        ]
        try await approvedSale(ledgers[0], amount: 25_000)
        let outcomes = await withTaskGroup(of: LedgerError.Code?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    await Self.refund("r\(number)", 4_000, limit: 25_000, in: ledgers[number % 2])
                }
            }
            return await group.reduce(into: [LedgerError.Code?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 6)
        #expect(outcomes.count { $0 == .limitExceeded(alreadyCounted: 24_000) } == 44)
        #expect(try await ledgers[1].refunds(of: "sale").map(\.amount) == Array(repeating: 4_000, count: 6))
        for ledger in ledgers { await ledger.close() }
    }

    @Test func twoParallelRefundsOfMostOfASaleGiveOneSuccess() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await approvedSale(ledger, amount: 25_000)
        async let first = Self.refund("r1", 20_000, limit: 25_000, in: ledger)
        async let second = Self.refund("r2", 20_000, limit: 25_000, in: ledger)
        let outcomes = await [first, second]
        #expect(outcomes.contains(nil))
        #expect(outcomes.contains(.limitExceeded(alreadyCounted: 20_000)))
        await ledger.close()
    }

    private static func complete(
        _ refund: String, in ledger: Ledger, from: Set<StateName> = ["created"]
    ) async throws(LedgerError) -> TransactionRecord {
        try await ledger.completeRefund(
            Transition(refund, from: from, to: "approved"), approvedStates: ["approved"],
            saleStates: ["approved", "partiallyRefunded"], complete: "refunded", partial: "partiallyRefunded",
            at: start + 1)
    }

    @Test func theLastOfTheRefundsCompletesTheSaleTipIncluded() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await approvedSale(ledger, amount: 10_000, tip: 1_500)
        for (id, amount) in [("r1", Int64(4_000)), ("r2", 6_000), ("r3", 1_500)] {
            #expect(await Self.refund(id, amount, limit: 11_500, in: ledger) == nil)
        }
        #expect(try await Self.complete("r3", in: ledger).state == "partiallyRefunded")
        #expect(try await Self.complete("r1", in: ledger).state == "partiallyRefunded")
        let sale = try await Self.complete("r2", in: ledger)
        #expect(sale.id == "sale" && sale.state == "refunded")
        #expect(try await ledger.refunds(of: "sale").map(\.state) == ["approved", "approved", "approved"])
        let journal = try await ledger.journal(of: "sale").suffix(3)
        #expect(journal.map(\.detail) == ["refund r3", "refund r1", "refund r2"])
        await ledger.close()
    }

    @Test func aRefundWhoseSaleCannotMoveOnIsNotCompletedEither() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await approvedSale(ledger, amount: 10_000)
        #expect(await Self.refund("r1", 10_000, limit: 10_000, in: ledger) == nil)
        let wrong = await failure { () throws(LedgerError) in
            try await Self.complete("r1", in: ledger, from: ["unknown"])
        }
        #expect(wrong?.code == .conflict(current: "created"))
        #expect(await failure { () throws(LedgerError) in try await Self.complete("x", in: ledger) }?.code == .notFound)
        try await ledger.advance("sale", from: ["approved"], to: "settled", at: start)
        let settled = await failure { () throws(LedgerError) in try await Self.complete("r1", in: ledger) }
        #expect(settled?.code == .conflict(current: "settled"))
        #expect(try await ledger.transaction("r1").state == "created")
        await ledger.close()
    }

    @Test(arguments: [8, 20])
    func parallelCompletionsOfAllPartsLeaveTheSaleRefunded(count: Int) async throws {
        let ledgers = [
            try await Ledger.open(directory: directory.path, busyTimeout: 60_000),
            try await Ledger.open(directory: directory.path, busyTimeout: 60_000),
        ]
        try await approvedSale(ledgers[0], amount: Int64(count) * 100)
        for number in 0..<count {
            #expect(await Self.refund("r\(number)", 100, limit: Int64(count) * 100, in: ledgers[0]) == nil)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { _ = try await Self.complete("r\(number)", in: ledgers[number % 2]) }
            }
            try await group.waitForAll()
        }
        #expect(try await ledgers[0].transaction("sale").state == "refunded")
        for ledger in ledgers { await ledger.close() }
    }

    @Test func ofARefundAndAReturnOfTheWholeSaleOnlyTheFirstIsBegun() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await approvedSale(ledger, amount: 10_000)
        let step = Transition(
            "sale", from: ["approved"], to: "approved", detail: "owed", recovery: .due(at: start, tries: 0))
        func giveBack() async -> LedgerError.Code? {
            await failure { () async throws(LedgerError) in
                try await ledger.beginReturn(step, countedStates: ["created", "approved"], at: start)
            }?.code
        }
        #expect(await Self.refund("r1", 1_000, limit: 10_000, in: ledger) == nil)
        #expect(await giveBack() == .limitExceeded(alreadyCounted: 1_000))
        try await ledger.advance("r1", from: ["created"], to: "declined", at: start)
        #expect(await giveBack() == nil)
        #expect(await Self.refund("r2", 1_000, limit: 10_000, in: ledger) == .planned)
        try await ledger.schedule("sale", resolveAt: nil, tries: 1)
        #expect(await Self.refund("r2", 1_000, limit: 10_000, in: ledger) == nil)
        await ledger.close()
    }
}
