import Gateways
import Ledger
import Money
import Payments
import Testing
import Transport

/// The program is ended by SIGKILL at every named place; afterwards a new one finds everything out.
@Suite(.blackBox) struct CrashMatrixTests {
    /// Places of a sale and of the reversal of one, each with a sale that comes by.
    private static let sales: [(CrashPoint, card: String, amount: String)] = [
        (.saleBegun, "visa-credit", "123.45"),
        (.cardPresented, "visa-credit", "123.45"), (.cryptogramMade, "visa-credit", "123.45"),
        (.intentionRecorded, "visa-credit", "123.45"), (.answerReceived, "visa-credit", "123.45"),
        (.answerRecorded, "visa-credit", "123.45"), (.cardCompleted, "visa-credit", "123.45"),
        (.outcomeRecorded, "visa-credit", "123.45"), (.outcomeRecorded, "visa-credit", "50.00"),
        (.answerReceived, "visa-credit", "50.00"), (.answerRecorded, "visa-credit", "50.00"),
        (.noAnswerReceived, "visa-credit", "190.00"), (.outcomeRecorded, "visa-credit", "190.00"),
        (.noAnswerReceived, "visa-credit", "191.00"), (.outcomeRecorded, "declines-first", "123.45"),
        (.reversalOwed, "declines-second", "123.45"), (.reversalAnswered, "declines-second", "123.45"),
        (.reversalRecorded, "declines-second", "123.45"), (.reversalOwed, "visa-credit", "110.00"),
        (.reversalAnswered, "visa-credit", "110.00"), (.reversalRecorded, "visa-credit", "110.00"),
    ]

    private static let refunds: [(CrashPoint, amount: String)] = [
        (.refundBegun, "40.00"), (.refundIntentionRecorded, "40.00"), (.refundAnswerReceived, "40.00"),
        (.refundOutcomeRecorded, "40.00"), (.refundOutcomeRecorded, "190.00"), (.refundIntentionRecorded, "200.00"),
        (.refundAnswerReceived, "200.00"), (.refundBegun, "250.00"), (.refundIntentionRecorded, "250.00"),
        (.refundAnswerReceived, "250.00"), (.refundOutcomeRecorded, "250.00"),
    ]

    /// Places of a refund whose void the host does not carry out (`crashbed --voids`), what it does with voids when the next
    /// program asks, where that one is ended too, and whether the money is back in the end.
    private static let refusedVoids: [(CrashPoint, voids: String, then: String, and: CrashPoint?, isReturned: Bool)] = [
        (.refundVoidRefused, "refused", "refused", nil, false),
        (.refundVoidRefused, "refused", "carriedOut", nil, true),
        (.refundVoidRefused, "refused", "carriedOut", .recoveryReversalAnswered, true),
        (.refundVoidRefused, "refused", "refused", .statusReceived, false),
        (.refundInsteadRecorded, "refused", "refused", nil, false),
        (.refundInsteadRecorded, "refused", "carriedOut", nil, false),
        (.refundInsteadRecorded, "nothingFound", "nothingFound", nil, false),
        (.refundInsteadRecorded, "nothingFound", "carriedOut", .orphanRecorded, false),
        (.refundInsteadRecorded, "refused", "refused", .statusReceived, false),
        (.refundInsteadRecorded, "refused", "refused", .recoveryReversalAnswered, false),
        (.refundAnswerReceived, "nothingFound", "carriedOut", nil, true),
    ]

    private static let voids: [CrashPoint] = [.voidIntentionRecorded, .voidAnswered, .voidRecorded]

    /// Places of a settlement, each with what only the host knows, in cents, and whether it is forced.
    private static let settlements: [(CrashPoint, planted: Int64, isForced: Bool)] = [
        (.batchOpened, 0, false), (.batchAnswered, 0, false), (.batchClosed, 0, false), (.batchOpened, 7_00, false),
        (.batchAnswered, 7_00, false), (.batchReleased, 7_00, false), (.batchReleased, 7_00, true),
        (.batchForceAnswered, 7_00, true), (.batchClosed, 7_00, true),
    ]

    /// Places of recovery, each after a first end that leads there.
    private static let recoveries: [(CrashPoint, after: CrashPoint)] = [
        (.orphanFound, .cardPresented), (.recoveryOutcomeRecorded, .cardPresented), (.orphanFound, .answerRecorded),
        (.orphanRecorded, .answerRecorded), (.statusReceived, .answerRecorded),
        (.recoveryReversalRecorded, .answerRecorded), (.recoveryReversalAnswered, .answerRecorded),
        (.recoveryOutcomeRecorded, .answerRecorded), (.recoveryReversalRecorded, .intentionRecorded),
        (.recoveryReversalAnswered, .intentionRecorded), (.recoveryOutcomeRecorded, .intentionRecorded),
        (.statusReceived, .reversalAnswered), (.statusReceived, .refundAnswerReceived),
        (.recoveryOutcomeRecorded, .refundAnswerReceived), (.recoveryReversalAnswered, .refundIntentionRecorded),
    ]

    @Test("every named place is in this matrix")
    func complete() {
        let covered =
            Self.sales.map(\.0) + Self.refunds.map(\.0) + Self.refusedVoids.map(\.0) + Self.voids
            + Self.settlements.map(\.0) + Self.recoveries.map(\.0)
            + OfflineCrashTests.sales + OfflineCrashTests.forwards + [.storedSaleDropped]
        #expect(Set(covered) == Set(CrashPoint.allCases))
    }

    @Test("a sale", arguments: sales.indices)
    func sale(index: Int) async throws {
        let (point, card, amount) = Self.sales[index]
        let bed = try CrashBench()
        let killed = try await bed.sale(amount, card: card, at: point)
        #expect(killed.status == 128 + 9, "\(point) is not reached: \(killed)")
        try await bed.recover()
        try await bed.checkTotals()
        try await bed.checkRepetition(amount)
    }

    @Test(
        "a sale of which a part is taken: all of it or nothing is in both books",
        arguments: [CrashPoint.answerReceived, .answerRecorded, .cardCompleted, .outcomeRecorded])
    func part(point: CrashPoint) async throws {
        let bed = try CrashBench()
        let killed = try await bed.sale("110.00", card: "visa-credit", at: point, partial: .accept)
        #expect(killed.status == 128 + 9, "\(point) is not reached: \(killed)")
        try await bed.recover()
        try await bed.checkTotals()
        try await bed.checkRepetition("110.00")
        #expect(try await Books(data: Workbench.mine().data).host() == (point == .outcomeRecorded ? 100_00 : 0))
    }

    @Test("a refund", arguments: refunds.indices)
    func refund(index: Int) async throws {
        let (point, amount) = Self.refunds[index]
        let bed = try CrashBench()
        let sale = try await bed.sale("250.00", card: "visa-credit", identifier: "original").text("transactionid")
        let killed = try await bed.refund(amount, of: sale, at: point)
        #expect(killed.status == 128 + 9, "\(point) is not reached: \(killed)")
        try await bed.recover()
        try await bed.checkTotals()
        let stored = try await bed.refund(amount, of: sale)
        #expect(try await bed.refund(amount, of: sale).output == stored.output)
        try await bed.checkTotals()
    }

    @Test(
        "a refund whose void the host refuses: the money is given back once, or by a new request",
        arguments: refusedVoids.indices)
    func refusedVoid(index: Int) async throws {
        let (point, voids, then, recoveryPoint, isReturned) = Self.refusedVoids[index]
        let bed = try CrashBench()
        let sale = try await bed.sale("250.00", card: "visa-credit", identifier: "original").text("transactionid")
        let killed = try await bed.refund("250.00", of: sale, at: point, ["--voids", voids])
        #expect(killed.status == 128 + 9, "\(point) is not reached: \(killed)")
        if let recoveryPoint { try await bed.recover(at: recoveryPoint, ["--voids", then]) }
        try await bed.recover(["--voids", then])
        try await bed.checkTotals()
        #expect(try await Books(data: Workbench.mine().data).host() == (isReturned ? 0 : 250_00))
        let stored = try await bed.refund("250.00", of: sale)
        #expect(try (stored.text("result") == "aprobada") == isReturned, "\(stored)")
        let again = try await bed.refund("250.00", of: sale, identifier: "refund 8")
        #expect(try again.text("result") == (isReturned ? "error" : "aprobada"), "\(again)")
        try await bed.checkTotals()
        #expect(try await Books(data: Workbench.mine().data).host() == 0)
    }

    @Test("a void, which the next program goes on with", arguments: voids)
    func void(point: CrashPoint) async throws {
        let bed = try CrashBench()
        let sale = try await bed.sale("250.00", card: "visa-credit", identifier: "original").text("transactionid")
        let killed = try await bed.void(sale, at: point)
        #expect(killed.status == 128 + 9, "\(point) is not reached: \(killed)")
        try await bed.recover()
        try await bed.checkTotals()
        #expect(try await bed.state(of: sale) == "voided")
        #expect(try await Books(data: Workbench.mine().data).host() == 0)
    }

    @Test("a settlement, which the next one goes on with: one batch, counted once", arguments: settlements.indices)
    func settlement(index: Int) async throws {
        let (point, planted, isForced) = Self.settlements[index]
        let bed = try CrashBench()
        let sale = try await bed.sale("250.00", card: "visa-credit", identifier: "original").text("transactionid")
        let refund = try await bed.refund("40.00", of: sale).text("transactionid")
        if planted > 0 { try await bed.plant(planted) }
        let killed = try await bed.settle(force: isForced, at: point)
        #expect(killed.status == 128 + 9, "\(point) is not reached: \(killed)")
        // A sale that came later is no part of what the host may have closed.
        _ = try await bed.sale("20.00", card: "visa-credit", identifier: "later")
        #expect(try await bed.settle(force: isForced).status == 0)
        let batches = try await bed.batches()
        #expect(batches.map(\.number) == Array(1...Int64(batches.count)))
        if planted > 0, !isForced {
            #expect(batches.map(\.state) == [.differs])
            #expect(
                batches.first?.hostTotals == BatchSums(sales: 3, salesAmount: 277_00, refunds: 1, refundsAmount: 40_00))
            #expect(try await bed.state(of: sale) == "partiallyRefunded")
            return
        }
        #expect(batches.allSatisfy { $0.state == .closed })
        #expect(batches.map(\.sums.net).reduce(0, +) == 230_00)
        #expect(try batches.map { try #require($0.hostTotals).net }.reduce(0, +) == 230_00 + planted)
        let isClosedAtHost = point == .batchClosed || point == .batchForceAnswered || (point == .batchAnswered)
        #expect(batches.map(\.sums.net) == (isClosedAtHost ? [210_00, 20_00] : [230_00]))
        #expect(try await bed.state(of: sale) == "settled")
        #expect(try await bed.state(of: refund) == "settled")
        #expect(try await bed.settle().status == 0)
        #expect(try await bed.batches() == batches)
    }

    @Test("recovery, itself ended at each of its places", arguments: recoveries.indices)
    func recovery(index: Int) async throws {
        let (point, first) = Self.recoveries[index]
        let bed = try CrashBench()
        if first.rawValue.hasPrefix("refund") {
            let sale = try await bed.sale("250.00", card: "visa-credit", identifier: "original").text("transactionid")
            #expect(try await bed.refund("40.00", of: sale, at: first).status == 128 + 9)
        } else {
            let card = first == .reversalAnswered ? "declines-second" : "visa-credit"
            #expect(try await bed.sale("123.45", card: card, at: first).status == 128 + 9)
        }
        let killed = try await bed.run(["recover", "--at", point.rawValue])
        #expect(killed.status == 128 + 9, "\(point) is not reached: \(killed)")
        try await bed.recover()
        try await bed.checkTotals()
        if !first.rawValue.hasPrefix("refund") { try await bed.checkRepetition("123.45") }
    }

    @Test("a killed program leaves nothing that the next one does not clear away")
    func noFiles() async throws {
        let bed = try CrashBench()
        _ = try await bed.sale("123.45", card: "visa-credit", at: .answerRecorded)
        #expect(try bed.runningFiles().count == 1)
        _ = try await bed.run(["recover", "--at", CrashPoint.statusReceived.rawValue])
        #expect(try bed.runningFiles().count == 2)
        try await bed.recover()
        #expect(try bed.runningFiles().isEmpty)
    }
}
