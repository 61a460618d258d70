import Ledger
import Testing

/// Approvals without the host: the room for them, and what waits.
@Suite struct StoredPaymentTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let caps = OfflineCaps(perSale: 300, total: 500, count: 3, longestWait: 1_000)

    private func reserve(
        _ ledger: Ledger, _ id: String, _ amount: Int64, at: Int64 = start
    ) async throws(LedgerError) -> OfflineCap? {
        try await ledger.begin(newSale(id), at: start)
        return try await ledger.reserveOffline(id, amount: amount, currency: 484, within: Self.caps, at: at)
    }

    private func step(_ id: String, _ stored: StoredPaymentStep, to: StateName = "created") -> Transition {
        var change = TransactionChange()
        if case .store = stored { change.offline = .stored }
        return Transition(id, from: ["created", "approved"], to: to, change: change, stored: stored)
    }

    private func store(_ ledger: Ledger, _ id: String, _ amount: Int64, at: Int64 = start) async throws(LedgerError) {
        _ = try await reserve(ledger, id, amount, at: at)
        try await ledger.advance([step(id, .store(sealed: [1, 2, 3]), to: "approved")], at: at)
    }

    @Test func roomIsHeldUpToEachCapAndNotBeyond() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        #expect(try await reserve(ledger, "a", 301) == .perSale)
        #expect(try await reserve(ledger, "b", 300) == nil)
        #expect(try await reserve(ledger, "c", 201) == .total)
        #expect(try await reserve(ledger, "d", 199) == nil)
        #expect(try await reserve(ledger, "e", 2) == .total)
        #expect(try await reserve(ledger, "f", 1) == nil)
        #expect(try await reserve(ledger, "g", 0) == .count)
        #expect(try await ledger.storedTotal() == StoredTotal(count: 0, amount: 0), "room is no payment")
        await ledger.close()
    }

    @Test func roomThatIsHeldAlreadyIsKeptAndReleasedRoomIsFree() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        #expect(try await reserve(ledger, "a", 300) == nil)
        #expect(try await ledger.reserveOffline("a", amount: 300, currency: 484, within: Self.caps, at: start) == nil)
        #expect(try await reserve(ledger, "b", 300) == .total)
        try await ledger.advance([step("a", .release)], at: start)
        #expect(try await ledger.reserveOffline("b", amount: 300, currency: 484, within: Self.caps, at: start) == nil)
        await ledger.close()
    }

    @Test func whatIsStoredIsNotReleasedAndCountsUntilItGoes() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await store(ledger, "a", 300)
        try await ledger.advance([step("a", .release)], at: start)
        #expect(try await ledger.storedTotal() == StoredTotal(count: 1, amount: 300))
        #expect(try await ledger.storedPayment("a")?.sealed == [1, 2, 3])
        #expect(try await ledger.transaction("a").offline == .stored)
        #expect(try await reserve(ledger, "b", 201) == .total)
        try await ledger.advance([step("a", .remove(unsent: false))], at: start)
        #expect(try await ledger.storedPayment("a") == nil)
        #expect(try await ledger.reserveOffline("b", amount: 201, currency: 484, within: Self.caps, at: start) == nil)
        await ledger.close()
    }

    @Test func oneThatWaitsTooLongLetsNoMoreIn() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await store(ledger, "a", 1)
        #expect(try await reserve(ledger, "b", 1, at: start + 1_000) == nil)
        #expect(try await reserve(ledger, "c", 1, at: start + 1_001) == .wait)
        #expect(try await reserve(ledger, "d", 1, at: start - 1_000_000) == nil, "the clock was set back")
        await ledger.close()
    }

    @Test func withoutRoomNothingIsStoredAndTheStepIsNotMade() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("a"), at: start)
        let error = await failure { () throws(LedgerError) in
            try await ledger.advance([step("a", .store(sealed: [1]), to: "approved")], at: start)
        }
        #expect(error?.code == .conflict(current: "created"))
        #expect(try await ledger.transaction("a").state == "created")
        await ledger.close()
    }

    @Test func attemptsAreCountedAndWhatMayHaveLeftIsNotTakenAwayAsUnsent() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await store(ledger, "a", 1)
        try await ledger.advance([step("a", .attempt(until: start + 50))], at: start)
        var stored = try #require(try await ledger.storedPayments().first)
        #expect(stored.tries == 1 && stored.mayHaveLeft && stored.dueAt == start + 50)
        let error = await failure { () throws(LedgerError) in
            try await ledger.advance([step("a", .remove(unsent: true), to: "voided")], at: start)
        }
        #expect(error?.code == .conflict(current: "created"))
        try await ledger.advance([step("a", .retry(at: start + 9, mayHaveLeft: false))], at: start)
        stored = try #require(try await ledger.storedPayment("a"))
        #expect(stored.tries == 1 && !stored.mayHaveLeft && stored.dueAt == start + 9)
        try await ledger.advance([step("a", .remove(unsent: true))], at: start)
        for gone in [StoredPaymentStep.attempt(until: 1), .retry(at: 1, mayHaveLeft: true), .remove(unsent: false)] {
            let error = await failure { () throws(LedgerError) in
                try await ledger.advance([step("a", gone)], at: start)
            }
            #expect(error?.code == .conflict(current: "created"))
        }
        await ledger.close()
    }

    @Test func itOutlivesTheProgramAndItsBytesDoNotOutliveIt() async throws {
        var ledger = try await Ledger.open(directory: directory.path)
        let mark: [UInt8] = Array("a mark that is found".utf8)
        _ = try await reserve(ledger, "a", 1)
        try await ledger.advance([step("a", .store(sealed: mark), to: "approved")], at: start)
        await ledger.close()
        #expect(try readFile(directory.file).firstRange(of: mark) != nil)
        ledger = try await Ledger.open(directory: directory.path)
        #expect(try await ledger.storedPayments().map(\.sealed) == [mark])
        try await ledger.advance([step("a", .remove(unsent: false))], at: start)
        await ledger.close()
        #expect(try readFile(directory.file).firstRange(of: mark) == nil)
    }
}
