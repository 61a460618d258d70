import Ledger
import Notices
import Testing
import Transport
import Webhooks

/// What is owed to the merchant's server, over restarts and with a receiver that does not answer.
@Suite struct OutboxTests {
    let bed = OutboxBed()

    @Test("the fifteen waits are kept over restarts; then the notice is dead, and only a person's retry sends it")
    func schedule() async throws {
        let seconds: [Int64] = [15, 15, 30, 60, 120, 300, 300, 600, 1200, 1800, 1800, 3600, 3600, 7200, 14400]
        for (index, wait) in (seconds + [0]).enumerated() {
            // A program of its own for each attempt.
            let ledger = try await bed.open()
            if index == 0 { try await bed.sale("a", in: ledger) }
            let outbox = try bed.outbox(ledger)
            let attempts = try await outbox.send(.all, until: .never)
            #expect(attempts.map(\.delivery.tries) == [index + 1])
            #expect(attempts.map(\.isDelivered) == [false])
            let isLast = index == seconds.count
            #expect(attempts.map(\.delivery.state) == [isLast ? "dead" : "pending"])
            #expect(attempts.map(\.delivery.dueAt) == [isLast ? nil : bed.wall.nowMilliseconds() + wait * 1_000])
            if !isLast {
                bed.wall.move(milliseconds: wait * 1_000 - 1)
                #expect(try await outbox.send(.all, until: .never).isEmpty, "not before its time")
                bed.wall.move(milliseconds: 1)
            }
            await ledger.close()
        }
        let ledger = try await bed.open()
        let outbox = try bed.outbox(ledger)
        bed.wall.move(milliseconds: 10 * Delivery.longestWait)
        #expect(try await outbox.send(.all, until: .never).isEmpty)
        #expect(try await outbox.nextAttempt() == nil)
        let journal = try await ledger.journal(of: "a").compactMap(\.detail)
        #expect(journal.count == 16)
        #expect(journal.first == "webhook attempt 1: \(Self.refused)")
        #expect(journal.last == "webhook given up after 16 attempts: \(Self.refused)")
        let again = try await outbox.send("a")
        #expect(again.delivery.state == "pending" && again.delivery.tries == 1)
        #expect(again.delivery.dueAt == bed.wall.nowMilliseconds() + 15_000)
        await ledger.close()
    }

    private static let refused = "the server cannot be reached (Couldn't connect to server)"

    @Test("a sale is told of once it is approved, however late; what never was is not, and neither is what is older")
    func whichSales() async throws {
        let ledger = try await bed.open()
        try await bed.sale("old", in: ledger, at: OutboxBed.noon - 1)
        try await bed.sale("late", in: ledger, state: "unknown")
        try await bed.sale("declined", in: ledger, state: "declined")
        for state in ["approved", "partiallyRefunded", "refunded", "voided", "settled"] as [StateName] {
            try await bed.sale(state.rawValue, in: ledger, state: state)
        }
        try await ledger.beginRefund(
            NewTransaction(id: "refund", state: "approved", amount: 1, currency: 484), ofOriginal: "approved",
            countedStates: [], originalStates: ["approved"], limitMinorUnits: 10, at: OutboxBed.noon)
        let outbox = try bed.outbox(ledger, since: OutboxBed.noon)
        #expect(try await outbox.untold().count == 5)
        let told = try await outbox.send(.all, until: .never).map(\.delivery.transactionID)
        #expect(told.sorted() == ["approved", "partiallyRefunded", "refunded", "settled", "voided"])
        try await ledger.advance("late", from: ["unknown"], to: "approved", at: OutboxBed.noon)
        #expect(try await outbox.send(.all, until: .never).map(\.delivery.transactionID) == ["late"])
        #expect(try await outbox.untold().isEmpty)
        await ledger.close()
    }

    @Test("beside a payment only the sales of the last seven days are looked for")
    func recent() async throws {
        let ledger = try await bed.open()
        let week: Int64 = 7 * 86_400_000
        try await bed.sale("older", in: ledger, at: OutboxBed.noon - week - 1)
        try await bed.sale("week", in: ledger, at: OutboxBed.noon - week)
        let outbox = try bed.outbox(ledger)
        #expect(try await outbox.send(.recent, until: .never).map(\.delivery.transactionID) == ["week"])
        #expect(try await outbox.send(.all, until: .never).map(\.delivery.transactionID) == ["older"])
        await ledger.close()
    }

    @Test("of two programs each takes other notices: every notice is tried once")
    func twoPrograms() async throws {
        let (first, second) = (try await bed.open(), try await bed.open())
        for number in 0..<40 { try await bed.sale("t\(number)", in: first) }
        let (one, other) = (try bed.outbox(first), try bed.outbox(second))
        async let left = one.send(.all, until: .never)
        async let right = other.send(.all, until: .never)
        let all = try await left + right
        #expect(all.count == 40)
        #expect(Set(all.map(\.delivery.transactionID)).count == 40)
        #expect(all.allSatisfy { $0.delivery.tries == 1 })
        await first.close()
        await second.close()
    }

    @Test("a program that is gone with its notices gives them back after a minute, with the attempts that they had")
    func lease() async throws {
        let ledger = try await bed.open()
        try await bed.sale("a", in: ledger)
        let now = bed.wall.nowMilliseconds()
        // As the other program did, before it was killed.
        _ = try await ledger.claimDeliveries(
            NoticeOutbox.kind, of: NoticeOutbox.toldStates, since: 0, at: now, until: now + 60_000)
        let outbox = try bed.outbox(ledger)
        bed.wall.move(milliseconds: 59_999)
        #expect(try await outbox.send(.all, until: .never).isEmpty)
        bed.wall.move(milliseconds: 1)
        #expect(try await outbox.send(.all, until: .never).map(\.delivery.tries) == [1])
        await ledger.close()
    }

    @Test("a clock that was set back a year does not put a notice off for a year")
    func clockSetBack() async throws {
        let ledger = try await bed.open()
        try await bed.sale("a", in: ledger)
        let outbox = try bed.outbox(ledger)
        _ = try await outbox.send(.all, until: .never)
        bed.wall.move(milliseconds: -31_536_000_000)
        #expect(try await outbox.send(.all, until: .never).map(\.delivery.tries) == [2])
        await ledger.close()
    }

    @Test("what is cancelled before it was sent is no attempt, and is due at once")
    func cancelled() async throws {
        let ledger = try await bed.open()
        try await bed.sale("a", in: ledger)
        let outbox = try bed.outbox(ledger)
        let attempt = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await outbox.send("a")
        }.value
        #expect(!attempt.isDelivered && attempt.problem == "it was cancelled before it was sent")
        #expect(try await ledger.journal(of: "a").compactMap(\.detail).isEmpty)
        #expect(try await outbox.send(.all, until: .never).map(\.delivery.tries) == [1])
        await ledger.close()
    }

    @Test("a ledger that is closed meanwhile is an error, and nothing is sent round and round")
    func closedLedger() async throws {
        let ledger = try await bed.open()
        let outbox = try bed.outbox(ledger)
        await ledger.close()
        await #expect(throws: LedgerError.self) { try await outbox.send(.all, until: .never) }
    }
}
