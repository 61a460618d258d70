import Glibc
import Synchronization
import Testing

@testable import Ledger

/// How often SIGXFSZ reached its handler, which can capture nothing. Safe: an atomic constant.
private let delivered = Atomic(0)

/// A change that finds the ledger idle is committed by its caller; everything else by the ledger's thread.
@Suite struct CallersTurnTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The thread that made a change.
    private func maker(on ledger: Ledger, _ durability: Durability = .written) async throws -> UInt {
        try await ledger.write(durability) { _ in UInt(pthread_self()) }
    }

    @Test(
        .enabled(if: sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1, "one processor: the shared threads may be one"),
        arguments: [Durability.written, .flushed])
    func anIdleLedgerCommitsOnTheThreadOfItsCaller(durability: Durability) async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        while ledger.thread.isAtWork { await Task.yield() }
        let own = UInt(pthread_self())
        #expect(try await maker(on: ledger, durability) == own)
        await ledger.close()
    }

    @Test(.enabled(if: sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1, "one processor: the shared threads may be one"))
    func anIdleLedgerAnswersAShortQuestionOnTheThreadOfItsCaller() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        while ledger.thread.isAtWork { await Task.yield() }
        let own = UInt(pthread_self())
        #expect(try await ledger.answerSoon { _ in UInt(pthread_self()) } == own)
        await ledger.close()
        let error = await failure { () throws(LedgerError) in
            _ = try await ledger.onlyOne(ofIdentifier: "order", scope: "")
        }
        #expect(error?.code == .closed)
    }

    @Test func whileAnotherProcessWritesTheLedgersThreadWaitsForIt() async throws {
        let ledger = try await Ledger.open(directory: directory.path, busyTimeout: 60_000)
        let other = try SQLiteConnection(path: directory.path + "/ledger.sqlite", readOnly: false, busyTimeout: 0)
        try other.run("BEGIN IMMEDIATE")
        let written = Task {
            let caller = UInt(pthread_self())
            return try await maker(on: ledger) != caller
        }
        while !ledger.thread.isAtWork { await Task.yield() }
        try other.run("COMMIT")
        #expect(try await written.value)
        other.close()
        await ledger.close()
    }

    /// With the patience that the ledger's thread has for the other process, the caller would stand for a minute.
    @Test(.timeLimit(.minutes(1))) func aCallerHasNoPatienceForAnotherProcess() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        await ledger.close()
        let path = directory.path + "/ledger.sqlite"
        let other = try SQLiteConnection(path: path, readOnly: false, busyTimeout: 0)
        let own = try SQLiteConnection(path: path, readOnly: false, busyTimeout: 60_000)
        try other.run("BEGIN IMMEDIATE")
        #expect(try own.immediateUnlessBusy(.written) {} == false)
        try other.run("COMMIT")
        #expect(try own.immediateUnlessBusy(.written) {})
        other.close()
        own.close()
    }

    @Test func aChangeThatIsRefusedEndsTheTurnAndWritesNothing() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        for _ in 0..<3 {
            let error = await failure { () throws(LedgerError) in
                try await ledger.advance([Transition("nobody", from: ["created"], to: "armed")], at: start)
            }
            #expect(error?.code == .notFound)
        }
        #expect(await ledger.activity == LedgerActivity())
        try await ledger.begin(newSale("t"), at: start)
        #expect(await ledger.activity.commits == 1)
        await ledger.close()
    }

    /// Without that the log would grow for ever, or a caller would wait for its shortening.
    @Test(.timeLimit(.minutes(1))) func aLongLogIsShortenedByTheLedgersThread() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t"), at: start)
        let long = String(repeating: "x", count: 100_000)
        // More than a thousand pages of 4,096 bytes.
        for _ in 0..<45 { try await ledger.note("t", detail: long, at: start) }
        // Until then the file has the pages of an empty ledger.
        while try #require(fileSize(directory.path + "/ledger.sqlite")) < 1_000_000 {
            try Task.checkCancellation()
            await Task.yield()
        }
        await ledger.close()
    }

    /// When the mask is taken back, the signal would end the process.
    @Test func aSignalForAFileThatGrowsTooLargeIsSwallowed() {
        let before = signal(SIGXFSZ) { _ in delivered.add(1, ordering: .relaxed) }
        // The threads that tasks share have it blocked; a caller may be another.
        var own = sigset_t()
        var mask = sigset_t()
        sigemptyset(&own)
        sigaddset(&own, SIGXFSZ)
        pthread_sigmask(SIG_UNBLOCK, &own, &mask)
        defer {
            pthread_sigmask(SIG_SETMASK, &mask, nil)
            signal(SIGXFSZ, before)
        }
        let isPending = FileSizeSignal.heldBack {
            pthread_kill(pthread_self(), SIGXFSZ)
            var pending = sigset_t()
            sigpending(&pending)
            return sigismember(&pending, SIGXFSZ) == 1
        }
        #expect(isPending)
        #expect(delivered.load(ordering: .relaxed) == 0)
    }

    private func fileSize(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
