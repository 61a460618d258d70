import Testing

@testable import Ledger

extension Ledger {
    fileprivate func hold(at gate: Gate) {
        gate.arrive()
        gate.wait()
    }

    fileprivate func level() throws(LedgerError) -> Int64? {
        try connected().integer("PRAGMA synchronous")
    }

    fileprivate func limitPages(_ pages: Int64) throws(LedgerError) {
        try connected().run("PRAGMA max_page_count = \(pages)")
    }

    fileprivate func pages() throws(LedgerError) -> Int64 {
        try connected().integer("PRAGMA page_count") ?? 0
    }
}

/// Writes that gather while the ledger is busy share one commit.
@Suite struct GroupTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Lets `count` writes gather, then makes them go. The errors are in the order of the numbers.
    private func together(
        _ count: Int, on ledger: Ledger, _ write: @escaping @Sendable (Int) async throws(LedgerError) -> Void,
        whenGathered: (() async throws -> Void)? = nil
    ) async throws -> [LedgerError?] {
        let gate = try Gate()
        return try await withThrowingTaskGroup(of: (Int, LedgerError?).self) { group in
            group.addTask {
                await ledger.hold(at: gate)
                return (-1, nil)
            }
            while !gate.hasArrived { await Task.yield() }
            for number in 0..<count {
                group.addTask { (number, await failure { () throws(LedgerError) in try await write(number) }) }
            }
            while ledger.thread.waitingWrites < count { await Task.yield() }
            try await whenGathered?()
            gate.open()
            var errors = [LedgerError?](repeating: nil, count: count)
            for try await (number, error) in group where number >= 0 { errors[number] = error }
            return errors
        }
    }

    @Test func sixtyFourWritersShareOneCommitAndOneFlush() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let errors = try await together(64, on: ledger) { number throws(LedgerError) in
            try await ledger.begin(newSale("t\(number)"), at: start)
        }
        #expect(errors.allSatisfy { $0 == nil })
        #expect(try await ledger.transactions().count == 64)
        var expected = LedgerActivity()
        expected.changes = 64
        expected.commits = 1
        expected.flushes = 1
        #expect(await ledger.activity == expected)
        await ledger.close()
    }

    @Test func aLoneWriterHasACommitOfItsOwn() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        for number in 1...3 {
            try await ledger.begin(newSale("t\(number)"), at: start, durability: number == 3 ? .flushed : .written)
            #expect(await ledger.activity.commits == number)
        }
        #expect(await ledger.activity.flushes == 1)
        await ledger.close()
    }

    @Test(arguments: [(nil, 1), (17, 2)] as [(Int?, Int64)])
    func oneThatWantsTheDiskTakesTheOthersWithIt(flushed: Int?, level: Int64) async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let errors = try await together(20, on: ledger) { number throws(LedgerError) in
            try await ledger.begin(
                newSale("t\(number)"), at: start, durability: number == flushed ? .flushed : .written)
        }
        #expect(errors.allSatisfy { $0 == nil })
        #expect(await ledger.activity.commits == 1)
        #expect(await ledger.activity.flushes == (flushed == nil ? 0 : 1))
        #expect(try await ledger.level() == level)
        await ledger.close()
    }

    @Test func moreThanTheLargestGroupAreSeveralCommits() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let count = LedgerThread.largestGroup + 10
        let errors = try await together(count, on: ledger) { number throws(LedgerError) in
            try await ledger.begin(newSale("t\(number)"), at: start)
        }
        #expect(errors.allSatisfy { $0 == nil })
        #expect(try await ledger.transactions(limit: 1_000).count == count)
        #expect(await ledger.activity.commits == 2)
        await ledger.close()
    }

    @Test func oneThatIsRefusedLeavesNothingAndTheOthersAreWritten() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        for number in 0..<30 { try await ledger.begin(newSale("t\(number)"), at: start) }
        let errors = try await together(30, on: ledger) { number throws(LedgerError) in
            // Every third one makes a step, and then a second that is not allowed.
            let steps = [
                Transition("t\(number)", from: ["created"], to: "armed"),
                Transition("t\(number)", from: [number % 3 == 0 ? "created" : "armed"], to: "approved"),
            ]
            try await ledger.advance(steps, at: start)
        }
        for number in 0..<30 {
            let isRefused = number % 3 == 0
            #expect(errors[number]?.code == (isRefused ? .conflict(current: "armed") : nil))
            #expect(try await ledger.transaction("t\(number)").state == (isRefused ? "created" : "approved"))
            #expect(try await ledger.journal(of: "t\(number)").count == (isRefused ? 1 : 3))
        }
        #expect(await ledger.activity.changes == 50)
        await ledger.close()
    }

    @Test func allRefusedIsNoCommit() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t"), at: start)
        let before = await ledger.activity
        let errors = try await together(5, on: ledger) { _ throws(LedgerError) in
            try await ledger.begin(newSale("t"), at: start)
        }
        #expect(errors.allSatisfy { $0?.code == .duplicate(existing: "t") })
        #expect(await ledger.activity == before)
        try await ledger.note("t", detail: "still usable", at: start)
        await ledger.close()
    }

    @Test func equalRequestsInOneGroupBeginOneSale() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let errors = try await together(50, on: ledger) { number throws(LedgerError) in
            let new = newSale("t\(number)", identifier: "order")
            let other = number == 49 ? otherDigest : digest
            try await ledger.begin(new, identifier: .once(scope: "", digest: other), at: start)
        }
        #expect(try await ledger.transactions().count == 1)
        let refused = errors.compactMap { $0 }
        #expect(refused.count == 1 || refused.count == 49)
        await ledger.close()
    }

    /// The commit itself fails: a reference that is checked only then leads nowhere.
    @Test func aCommitThatFailsFailsAllAndWritesNothing() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let errors = try await together(20, on: ledger) { number throws(LedgerError) in
            guard number == 11 else {
                try await ledger.begin(newSale("t\(number)"), at: start)
                return
            }
            try await ledger.write(.flushed) { (connection) throws(LedgerError) in
                try connection.run("PRAGMA defer_foreign_keys = ON")
                try connection.run("INSERT INTO journal (transaction_id, at, to_state) VALUES ('nobody', 1, 'x')")
            }
        }
        #expect(errors.allSatisfy { $0?.code == .invalid })
        #expect(try await ledger.transactions().isEmpty)
        #expect(await ledger.activity == LedgerActivity())
        try await ledger.begin(newSale("t"), at: start)
        try await ledger.checkIntegrity()
        await ledger.close()
    }

    @Test func aDiskThatFillsUpFailsAllWithThatErrorAndWritesNothing() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("first"), at: start)
        try await ledger.limitPages(try await ledger.pages())
        let errors = try await together(40, on: ledger) { number throws(LedgerError) in
            let new = newSale("t\(number)", identifier: String(repeating: "i", count: 1_000))
            try await ledger.begin(new, at: start)
        }
        let refused = errors.compactMap { $0 }
        #expect(!refused.isEmpty && refused.allSatisfy { $0.code == .diskFull })
        #expect(try await ledger.transactions(limit: 1_000).count == 41 - refused.count)
        for (number, error) in errors.enumerated() {
            let found = await failure { () throws(LedgerError) in try await ledger.transaction("t\(number)") }
            #expect(found?.code == (error == nil ? nil : .notFound))
        }
        try await ledger.checkIntegrity()
        try await ledger.limitPages(10_000)
        try await ledger.begin(newSale("later"), at: start)
        await ledger.close()
    }

    @Test func aFileThatWasTakenAwayFailsAll() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let path = directory.path
        let errors = try await together(10, on: ledger) { number throws(LedgerError) in
            try await ledger.begin(newSale("t\(number)"), at: start)
        } whenGathered: {
            try #require(move(path + "/ledger.sqlite", to: path + "/away"))
        }
        #expect(errors.allSatisfy { $0?.code == .notWritable })
        await ledger.close()
    }

    @Test func aTaskThatIsCancelledWhileItWaitsIsWrittenAndToldSo() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let gate = try Gate()
        let holding = Task { await ledger.hold(at: gate) }
        while !gate.hasArrived { await Task.yield() }
        let waiting = Task { () async throws -> Beginning? in
            let beginning = try await ledger.begin(newSale("t"), at: start)
            return Task.isCancelled ? beginning : nil
        }
        while ledger.thread.waitingWrites < 1 { await Task.yield() }
        waiting.cancel()
        gate.open()
        #expect(try await waiting.value == .begun(try await ledger.transaction("t")))
        await holding.value
        await ledger.close()
    }
}
