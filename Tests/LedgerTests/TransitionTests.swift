import Ledger
import Testing

@Suite struct TransitionTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func aNewSaleHasItsValuesAndOneJournalEntry() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        var new = newSale("t1", amount: 10_000, tip: 1_500, identifier: "order 7", attemptID: "a1")
        new.reference = "ref"
        new.email = "payer@example.com"
        new.phone = "5550100"
        new.msi = 6
        new.reader = "ccid"
        let record = try await ledger.begin(new, at: start).record

        var expected = TransactionRecord(
            id: "t1", kind: .sale, state: "created", createdAt: start, updatedAt: start, amount: 10_000, tip: 1_500,
            currency: 484, msi: 6)
        expected.identifier = "order 7"
        expected.reference = "ref"
        expected.email = "payer@example.com"
        expected.phone = "5550100"
        expected.attemptID = "a1"
        expected.reader = "ccid"
        #expect(record == expected)
        #expect(try await ledger.transaction("t1") == expected)
        let journal = try await ledger.journal(of: "t1")
        #expect(journal.map(\.to) == ["created"])
        #expect(journal.map(\.from) == [nil])
        #expect(journal.map(\.at) == [start])
        await ledger.close()
    }

    @Test func aNewSaleCanMoveOnInTheSameCommit() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        var new = newSale("t1")
        new.next = ["armed", "presented"]
        let record = try await ledger.begin(new, at: start).record
        #expect(record.state == "presented")
        #expect(try await ledger.transaction("t1") == record)
        let journal = try await ledger.journal(of: "t1")
        #expect(journal.map(\.from) == [nil, "created", "armed"])
        #expect(journal.map(\.to) == ["created", "armed", "presented"])
        #expect(journal.map(\.at) == [start, start, start])
        #expect(await ledger.activity.commits == 1)
        await ledger.close()
    }

    @Test func aStepThatIsWrittenLaterKeepsItsTime() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        let steps = [
            Transition("t1", from: ["created"], to: "presented", at: start + 3),
            Transition("t1", from: ["presented"], to: "authorizing"),
        ]
        let records = try await ledger.advance(steps, at: start + 8)
        #expect(records.map(\.updatedAt) == [start + 3, start + 8])
        #expect(try await ledger.transaction("t1") == records.last)
        #expect(try await ledger.journal(of: "t1").map(\.at) == [start, start + 3, start + 8])
        await ledger.close()
    }

    @Test func aReopenedLedgerHasEveryChangeAndItsOrder() async throws {
        let first = try await Ledger.open(directory: directory.path)
        try await first.begin(newSale("t1"), at: start)
        try await first.advance("t1", from: ["created"], to: "authorizing", at: start + 1, detail: "asked")
        let written = try await first.advance(
            "t1", from: ["authorizing", "unknown"], to: "approved", change: fullChange, at: start + 5)
        await first.close()

        let second = try await Ledger.open(directory: directory.path)
        let read = try await second.transaction("t1")
        #expect(read == written)
        #expect(read.state == "approved")
        #expect(read.updatedAt == start + 5)
        #expect(read.createdAt == start)
        #expect(read.amount == 9_000)
        #expect(read.appLabel == "VISA CRÉDITO")
        #expect(read.statusInfo == "")
        #expect(read.batch == 1)
        #expect(read.receipt == #"{"copy":"merchant"}"#)
        let journal = try await second.journal(of: "t1")
        #expect(journal.map(\.from) == [nil, "created", "authorizing"])
        #expect(journal.map(\.to) == ["created", "authorizing", "approved"])
        #expect(journal.map(\.detail) == [nil, "asked", nil])
        #expect(journal.map(\.sequence) == journal.map(\.sequence).sorted())
        await second.close()
    }

    @Test func everyFieldOfAChangeReachesItsOwnColumn() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        let returned = try await ledger.advance(
            "t1", from: ["created"], to: "approved", change: fullChange, at: start + 1, recovery: .due(at: 9, tries: 2))
        let record = try await ledger.transaction("t1")
        #expect(returned == record)
        // Optional or not in the record, a field prints its value inside "Optional(...)" or alone.
        let fields = Dictionary(uniqueKeysWithValues: Mirror(reflecting: record).children.map { ($0.label, $0.value) })
        for change in Mirror(reflecting: fullChange).children {
            let expected = "\(change.value)"
            let found = fields[change.label].map { "\($0)" }
            #expect(found == expected || found.map { "Optional(\($0))" } == expected, "\(change.label ?? "")")
        }
        await ledger.close()
    }

    @Test func whatATransitionDoesNotMentionStaysWritten() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        let before = try await ledger.advance("t1", from: ["created"], to: "approved", change: fullChange, at: start)
        let after = try await ledger.advance("t1", from: ["approved"], to: "settled", at: start)
        var expected = before
        expected.state = "settled"
        #expect(after == expected)
        await ledger.close()
    }

    @Test func anotherStateThanExpectedIsAConflictAndWritesNothing() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        let before = try await ledger.transaction("t1")
        let error = await failure { () throws(LedgerError) in
            try await ledger.advance("t1", from: ["authorizing"], to: "approved", change: fullChange, at: start + 1)
        }
        #expect(error?.code == .conflict(current: "created"))
        #expect(try await ledger.transaction("t1") == before)
        #expect(try await ledger.journal(of: "t1").count == 1)
        await ledger.close()
    }

    @Test func anUnknownIdIsNotFound() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        #expect(await failure { () throws(LedgerError) in try await ledger.transaction("x") }?.code == .notFound)
        let advance = await failure { () throws(LedgerError) in
            try await ledger.advance("x", from: ["created"], to: "failed", at: start)
        }
        #expect(advance?.code == .notFound)
        let note = await failure { () throws(LedgerError) in try await ledger.note("x", detail: "?", at: start) }
        #expect(note?.code == .notFound)
        await ledger.close()
    }

    @Test func severalStepsAreMadeTogetherOrNotAtAll() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        try await ledger.begin(newSale("t2"), at: start)
        let error = await failure { () throws(LedgerError) in
            try await ledger.advance(
                [
                    Transition("t1", from: ["created"], to: "settled"),
                    Transition("t2", from: ["approved"], to: "settled"),
                ], at: start)
        }
        #expect(error?.code == .conflict(current: "created"))
        #expect(try await ledger.transaction("t1").state == "created")
        let records = try await ledger.advance(
            [
                Transition("t1", from: ["created"], to: "settled"),
                Transition("t2", from: ["created"], to: "settled"),
            ], at: start)
        #expect(records.map(\.state) == ["settled", "settled"])
        await ledger.close()
    }

    @Test func stepsOfOneTransactionShareOneWriteOfItsRow() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        for id in ["t1", "t2"] { try await ledger.begin(newSale(id), at: start) }
        var first = TransactionChange()
        first.lastFour = "0119"
        first.cardBrand = "VISA"
        var second = TransactionChange()
        second.cardBrand = "MASTERCARD"
        let steps = [
            Transition("t1", from: ["created"], to: "presented", change: first, recovery: .due(at: 9, tries: 1)),
            Transition("t1", from: ["presented"], to: "presented", change: second, recovery: .none, at: start + 1),
            Transition("t2", from: ["created"], to: "failed", detail: "other"),
            Transition("t1", from: ["presented"], to: "authorizing"),
        ]
        try await ledger.perform(steps, at: start + 4)
        let record = try await ledger.transaction("t1")
        #expect(record.state == "authorizing" && record.updatedAt == start + 4)
        #expect(record.lastFour == "0119" && record.cardBrand == "MASTERCARD")
        #expect(record.resolveAt == nil && record.resolveTries == 1)
        #expect(try await ledger.transaction("t2").state == "failed")
        let journal = try await ledger.journal(of: "t1")
        #expect(journal.map(\.from) == [nil, "created", "presented", "presented"])
        #expect(journal.map(\.to) == ["created", "presented", "presented", "authorizing"])
        #expect(journal.map(\.at) == [start, start + 4, start + 1, start + 4])
        #expect(await ledger.activity.commits == 3)
        await ledger.close()
    }

    @Test func aStepThatDoesNotFollowTakesTheOthersBack() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        let error = await failure { () throws(LedgerError) in
            try await ledger.perform(
                [
                    Transition("t1", from: ["created"], to: "presented"),
                    Transition("t1", from: ["created"], to: "authorizing"),
                ], at: start)
        }
        #expect(error?.code == .conflict(current: "presented"))
        #expect(try await ledger.transaction("t1").state == "created")
        #expect(try await ledger.journal(of: "t1").count == 1)
        let nobody = await failure { () throws(LedgerError) in
            try await ledger.perform([Transition("t9", from: ["created"], to: "presented")], at: start)
        }
        #expect(nobody?.code == .notFound)
        await ledger.close()
    }

    @Test func aNoteKeepsTheState() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        try await ledger.note("t1", detail: "second completion dropped", at: start + 9)
        #expect(try await ledger.transaction("t1").state == "created")
        let last = try #require(try await ledger.journal(of: "t1").last)
        #expect(last.from == "created" && last.to == "created")
        #expect(last.detail == "second completion dropped")
        await ledger.close()
    }

    @Test func ofManyTasksOneMakesTheStep() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        let outcomes = await withTaskGroup(of: LedgerError?.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await failure { () throws(LedgerError) in
                        try await ledger.advance("t1", from: ["created"], to: "authorizing", at: start)
                    }
                }
            }
            return await group.reduce(into: [LedgerError.Code?]()) { $0.append($1?.code) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .conflict(current: "authorizing") } == 49)
        await ledger.close()
    }

    @Test(arguments: [
        newSale("", amount: 1), newSale("t", amount: -1), newSale("t", amount: 1_000_000_000_000),
        newSale("t", tip: -1), newSale("t", state: ""), newSale(String(repeating: "t", count: 65)),
        newSale("t", identifier: String(repeating: "i", count: 2_000_000)),
    ])
    func aValueOutOfRangeIsInvalidAndTheLedgerStaysUsable(new: NewTransaction) async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let error = await failure { () throws(LedgerError) in try await ledger.begin(new, at: start) }
        #expect(error?.code == .invalid)
        try await ledger.begin(newSale("fine"), at: start)
        #expect(try await ledger.transactions().map(\.id) == ["fine"])
        await ledger.close()
    }

    @Test func textOfAnyKindComesBackUnchanged() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        for (number, text) in ["", "' OR 1=1 --", "a\u{0}b", "ñ 漢 🂡", "?1 :x"].enumerated() {
            try await ledger.begin(newSale("t\(number)", identifier: text), at: start)
            #expect(try await ledger.transaction("t\(number)").identifier == text)
            #expect(try await ledger.byIdentifier(text).map(\.id) == ["t\(number)"])
        }
        await ledger.close()
    }
}
