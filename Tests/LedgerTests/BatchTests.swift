import Testing

@testable import Ledger

@Suite struct BatchTests {
    let directory: TemporaryDirectory
    let ledger: Ledger

    private static let rule = BatchRule(
        sales: ["approved", "partiallyRefunded", "refunded"], refunds: ["approved"],
        unresolved: ["created", "unknown"])

    init() async throws {
        directory = try TemporaryDirectory()
        ledger = try await Ledger.open(directory: directory.path)
    }

    private func sale(
        _ id: String, _ amount: Int64, tip: Int64 = 0, in state: StateName = "approved", brand: String? = "VISA",
        approved: Int64? = nil
    ) async throws {
        try await ledger.begin(newSale(id, amount: amount, tip: tip), at: start)
        guard state != "created" else { return }
        var change = TransactionChange()
        change.cardBrand = brand
        change.approvedAmount = approved
        try await ledger.advance(id, from: ["created"], to: state, change: change, at: start)
    }

    private func refund(_ id: String, of sale: String, _ amount: Int64, in state: StateName) async throws {
        try await ledger.beginRefund(
            newSale(id, amount: amount), ofOriginal: sale, countedStates: ["approved"],
            originalStates: ["approved", "partiallyRefunded"], limitMinorUnits: 1_000_000, at: start)
        var change = TransactionChange()
        change.cardBrand = "VISA"
        try await ledger.advance(id, from: ["created"], to: state, change: change, at: start)
    }

    private func open(force: Bool = false, at: Int64 = start + 1) async throws -> BatchOpening {
        try await ledger.openBatch(currency: 484, rule: Self.rule, isForced: force, at: at)
    }

    private func opened() async throws -> BatchRecord {
        guard case .opened(let batch) = try await open() else { throw Unexpected() }
        return batch
    }

    private func close(_ number: Int64, _ answer: BatchRecord.HostAnswer = .agreed, _ host: BatchSums? = nil)
        async throws -> BatchRecord
    {
        try await ledger.closeBatch(
            number, moving: ["approved", "partiallyRefunded"], to: "settled", hostAnswer: answer, hostTotals: host,
            at: start + 2)
    }

    private struct Unexpected: Error {}

    @Test func aBatchHoldsWhatHasMovedMoneyAndIsInNone() async throws {
        try await sale("a", 10_000, tip: 1_500)
        try await sale("b", 500, brand: "MASTERCARD")
        try await sale("c", 700, in: "partiallyRefunded")
        try await sale("d", 900, in: "refunded", brand: nil)
        for (index, state) in ["declined", "voided", "reversed", "failed"].enumerated() {
            try await sale("x\(index)", 1, in: StateName(rawValue: state))
        }
        try await refund("r", of: "c", 200, in: "approved")
        try await refund("s", of: "c", 100, in: "declined")
        let batch = try await opened()
        #expect(batch.number == 1 && batch.state == .closing && batch.openedAt == start + 1 && batch.closedAt == nil)
        #expect(
            batch.totals == [
                BatchTotal(kind: .sale, cardBrand: "", count: 1, amount: 900, tip: 0),
                BatchTotal(kind: .sale, cardBrand: "MASTERCARD", count: 1, amount: 500, tip: 0),
                BatchTotal(kind: .sale, cardBrand: "VISA", count: 2, amount: 10_700, tip: 1_500),
                BatchTotal(kind: .refund, cardBrand: "VISA", count: 1, amount: 200, tip: 0),
            ])
        #expect(batch.sums == BatchSums(sales: 4, salesAmount: 13_600, refunds: 1, refundsAmount: 200))
        #expect(batch.sums.net == 13_400)
        #expect(try await ledger.members(ofBatch: 1).map(\.id) == ["a", "b", "c", "d", "r"])
        await ledger.close()
    }

    /// The rest of a tip that was not approved is not taken, and neither is that of the goods.
    @Test(arguments: [(11_500, 10_000, 1_500), (10_500, 10_000, 500), (10_000, 10_000, 0), (4_000, 4_000, 0)])
    func ofAPartThatWasApprovedTheGoodsComeFirst(approved: Int64, amount: Int64, tip: Int64) async throws {
        try await sale("a", 10_000, tip: 1_500, approved: approved)
        #expect(try await opened().totals.map(\.amount) == [amount])
        #expect(try await ledger.batch(1).totals.map(\.tip) == [tip])
        await ledger.close()
    }

    @Test func aBatchIsOfOneCurrency() async throws {
        try await sale("a", 100)
        try await ledger.begin(
            NewTransaction(id: "b", state: "created", amount: 7, tip: 0, currency: 840), at: start)
        try await ledger.advance("b", from: ["created"], to: "approved", at: start)
        #expect(try await ledger.batchCurrencies(Self.rule) == [484, 840])
        let pesos = try await opened()
        let dollars = try await ledger.openBatch(currency: 840, rule: Self.rule, isForced: false, at: start)
        guard case .opened(let dollars) = dollars else { throw Unexpected() }
        #expect(pesos.sums.salesAmount == 100 && pesos.number == 1)
        #expect(dollars.sums.salesAmount == 7 && dollars.number == 2)
        await ledger.close()
    }

    @Test func whatHasNoEndStandsInTheWayAndIsLeftOutByForce() async throws {
        try await sale("a", 100)
        try await sale("u", 20, in: "unknown")
        try await sale("v", 30)
        try await ledger.schedule("v", resolveAt: start, tries: 0)
        guard case .blocked(let records) = try await open() else { throw Unexpected() }
        #expect(records.map(\.id) == ["u", "v"])
        #expect(try await ledger.lastBatch() == 0)
        guard case .opened(let batch) = try await open(force: true) else { throw Unexpected() }
        #expect(batch.isForced && batch.sums == BatchSums(sales: 1, salesAmount: 100))
        #expect(try await ledger.transaction("v").batch == nil)
        await ledger.close()
    }

    @Test func withoutAnythingToSettleNoNumberIsUsed() async throws {
        #expect(try await open() == .nothing)
        try await sale("a", 100, in: "declined")
        #expect(try await open() == .nothing)
        #expect(try await ledger.batches().isEmpty)
        await ledger.close()
    }

    @Test func aBatchThatWasNotEndedIsGoneOnWithAsItWas() async throws {
        try await sale("a", 100)
        let first = try await opened()
        try await sale("b", 50)
        #expect(try await open() == .resumed(first))
        await ledger.close()
        let next = try await Ledger.open(directory: directory.path)
        #expect(
            try await next.openBatch(currency: 484, rule: Self.rule, isForced: false, at: start + 9)
                == .resumed(first))
        await next.close()
    }

    @Test func closingMovesTheMembersOnceWithALineInTheJournal() async throws {
        try await sale("a", 100)
        try await sale("d", 50, in: "refunded")
        _ = try await opened()
        let closed = try await close(1)
        #expect(closed.state == .closed && closed.closedAt == start + 2 && closed.hostAnswer == .agreed)
        #expect(try await ledger.transaction("a").state == "settled")
        #expect(try await ledger.transaction("d").state == "refunded")
        #expect(try await ledger.transaction("d").batch == 1)
        let line = try #require(try await ledger.journal(of: "a").last)
        #expect(line.from == "approved" && line.to == "settled" && line.detail == "batch 1" && line.at == start + 2)
        let remark = try #require(try await ledger.journal(of: "d").last)
        #expect(remark.from == "refunded" && remark.to == "refunded" && remark.detail == "batch 1")
        let again = await failure { () throws(LedgerError) in
            try await ledger.closeBatch(
                1, moving: [], to: "settled", hostAnswer: .agreed, hostTotals: nil, at: start)
        }
        #expect(again?.code == .conflict(current: "closed"))
        #expect(try await open() == .nothing)
        await ledger.close()
    }

    @Test func aBatchThatWasReleasedGivesItsMembersAndItsNumberToTheNext() async throws {
        try await sale("a", 100)
        _ = try await opened()
        let host = BatchSums(sales: 2, salesAmount: 130)
        let released = try await ledger.releaseBatch(1, hostTotals: host)
        #expect(released.state == .differs && released.hostAnswer == .differs && released.hostTotals == host)
        #expect(released.sums.salesAmount == 100)
        #expect(try await ledger.transaction("a").batch == nil)
        try await sale("b", 30)
        let next = try await opened()
        #expect(next.number == 1 && next.state == .closing && next.hostAnswer == nil && next.hostTotals == nil)
        #expect(next.sums == host)
        #expect(try await ledger.batches().count == 1)
        _ = try await close(1)
        try await sale("c", 7)
        #expect(try await opened().number == 2)
        #expect(try await ledger.batches().map(\.number) == [2, 1])
        await ledger.close()
    }

    @Test func aStepCanBeBoundToWhatIsInNoBatch() async throws {
        try await sale("a", 100)
        try await sale("b", 100)
        var step = Transition("a", from: ["approved"], to: "approved", isOutsideBatches: true)
        try await ledger.advance([step], at: start)
        _ = try await opened()
        step = Transition("b", from: ["approved"], to: "approved", isOutsideBatches: true)
        let error = await failure { [step] () throws(LedgerError) in try await ledger.advance([step], at: start) }
        #expect(error?.code == .conflict(current: "approved"))
        await ledger.close()
    }

    @Test func theDifferenceIsWhatTheHostHasMoreInAllClosedBatches() async throws {
        #expect(try await ledger.batchDifference(currency: 484) == BatchSums())
        try await sale("a", 100)
        _ = try await opened()
        _ = try await close(1, .differs, BatchSums(sales: 2, salesAmount: 130))
        #expect(try await ledger.batchDifference(currency: 484) == BatchSums(sales: 1, salesAmount: 30))
        try await sale("b", 40)
        _ = try await opened()
        _ = try await close(2, .evened, BatchSums(sales: 0, salesAmount: 10))
        #expect(try await ledger.batchDifference(currency: 484) == BatchSums())
        // A host that does not tell its totals counts for nothing.
        try await sale("c", 5)
        _ = try await opened()
        _ = try await close(3, .notKept)
        #expect(try await ledger.batchDifference(currency: 484) == BatchSums())
        await ledger.close()
    }

    @Test func aSumOfMoreThanSixteenDigitsIsRefusedAndNothingIsWritten() async throws {
        let connection = try SQLiteConnection(path: directory.file, readOnly: false, busyTimeout: 1_000)
        try connection.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
            INSERT INTO transactions (id, kind, state, created_at, updated_at, amount, tip, currency, msi)
            SELECT 'n' || i, 'sale', 'approved', 1, 1, 999999999999, 0, 484, 0 FROM n
            """)
        connection.close()
        let error = await failure { () throws(LedgerError) in
            try await ledger.openBatch(currency: 484, rule: Self.rule, isForced: false, at: start)
        }
        #expect(error?.code == .invalid)
        #expect(try await ledger.batches().isEmpty)
        #expect(try await ledger.transaction("n1").batch == nil)
        await ledger.close()
    }

    @Test func fiftyProgramsThatOpenAtOnceOpenOne() async throws {
        for number in 0..<20 { try await sale("t\(number)", 10) }
        let other = try await Ledger.open(directory: directory.path)
        let openings = try await withThrowingTaskGroup(of: BatchOpening.self) { group in
            for index in 0..<50 {
                group.addTask { [ledger] in
                    try await (index.isMultiple(of: 2) ? ledger : other).openBatch(
                        currency: 484, rule: Self.rule, isForced: false, at: start)
                }
            }
            var all: [BatchOpening] = []
            for try await opening in group { all.append(opening) }
            return all
        }
        let opened = openings.filter { if case .opened = $0 { true } else { false } }
        #expect(opened.count == 1)
        #expect(openings.count { if case .resumed = $0 { true } else { false } } == 49)
        #expect(try await ledger.batches().map(\.sums) == [BatchSums(sales: 20, salesAmount: 200)])
        await other.close()
        await ledger.close()
    }
}
