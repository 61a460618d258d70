import Testing

@testable import Ledger

/// A sale that is taken back whole is in no batch, and neither is the refund that does it.
@Suite struct TakenBackTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let rule = BatchRule(
        sales: ["approved", "refunded"], refunds: ["approved"], unresolved: ["created", "unknown"])

    private func begin(
        _ ledger: Ledger, _ amount: Int64, as operation: ReturnOperation?
    ) async throws -> TransactionRecord {
        let new = NewTransaction(
            id: "r", state: "created", amount: amount, currency: 484, returnedAs: operation)
        return try await ledger.beginRefund(
            new, ofOriginal: "s", countedStates: ["created", "approved"], originalStates: ["approved", "settled"],
            limitMinorUnits: 100, at: start
        ).record
    }

    private func sell(_ ledger: Ledger) async throws {
        try await ledger.begin(NewTransaction(id: "s", state: "approved", amount: 100, currency: 484), at: start)
    }

    private func counted(_ ledger: Ledger) async throws -> [Int64] {
        try await ledger.openTotals(currency: 484, rule: Self.rule).map(\.amount)
    }

    @Test func whileItIsUnderWayAndAfterwards() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await sell(ledger)
        #expect(try await counted(ledger) == [100])
        #expect(try await begin(ledger, 100, as: .void).returnedAs == .void)
        #expect(try await ledger.transaction("r").returnedAs == .void)
        #expect(try await counted(ledger) == [])
        #expect(try await ledger.obstacles(to: Self.rule).map(\.id) == ["r"])
        guard case .nothing = try await ledger.openBatch(currency: 484, rule: Self.rule, isForced: true, at: start)
        else { return #expect(Bool(false), "a batch was opened") }
        try await ledger.advance("r", from: ["created"], to: "approved", at: start)
        #expect(try await counted(ledger) == [])
        #expect(try await ledger.batchCurrencies(Self.rule) == [])
        await ledger.close()
    }

    @Test func aSaleThatStandsAfterAllIsInABatch() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await sell(ledger)
        _ = try await begin(ledger, 100, as: .void)
        try await ledger.advance("r", from: ["created"], to: "declined", at: start)
        #expect(try await counted(ledger) == [100])
        await ledger.close()
    }

    @Test func anOrdinaryRefundIsInABatchWithItsSale() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await sell(ledger)
        _ = try await begin(ledger, 100, as: .refund)
        try await ledger.advance("r", from: ["created"], to: "approved", at: start)
        #expect(try await counted(ledger).sorted() == [100, 100])
        await ledger.close()
    }

    /// A batch that took the sale a moment ago is seen with the write.
    @Test func inABatchOrInPartItBecomesAnOrdinaryRefund() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await sell(ledger)
        #expect(try await begin(ledger, 99, as: .void).returnedAs == .refund)
        try await ledger.advance("r", from: ["created"], to: "declined", at: start)
        _ = try await ledger.openBatch(currency: 484, rule: Self.rule, isForced: true, at: start)
        let late = NewTransaction(id: "r2", state: "created", amount: 100, currency: 484, returnedAs: .void)
        let begun = try await ledger.beginRefund(
            late, ofOriginal: "s", countedStates: ["created", "approved"], originalStates: ["approved"],
            limitMinorUnits: 100, at: start)
        #expect(begun.record.returnedAs == .refund)
        #expect(try await ledger.transaction("r2").returnedAs == .refund)
        await ledger.close()
    }
}
