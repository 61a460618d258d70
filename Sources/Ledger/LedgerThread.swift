import Glibc
import Synchronization

/// Where the blocking calls of one ledger are made, one after another, in the order in which they arrive; writes that have
/// gathered meanwhile are handed over together, before the jobs. Whoever makes them holds the turn:
///
/// - the ledger's own thread, so that a slow disk never holds up the threads that Swift's tasks share;
/// - or the caller of a write, when nothing else is under way: it has to wait for its commit in any case, and two changes of
///   thread cost more than the rest of a commit (`docs/performance.md`). What arrives meanwhile goes to the ledger's thread,
///   so a slow disk holds up one of the shared threads at most, and never the only one (`hasSpareThread`).
///
/// After `stop()` nothing blocks any more (the database is closed by then), so jobs that still arrive run at once on the
/// thread that brings them, still one after another, and writes are refused; without that, late callers would wait for
/// ever.
final class LedgerThread: SerialExecutor {
    private enum Phase {
        case running, stopping, stopped
    }

    private struct State {
        var jobs: [UnownedJob] = []
        var writes: [PendingWrite] = []
        /// Who makes them.
        var committer: (any WriteCommitter)?
        /// Something that can wait is to be done for it.
        var hasChore = false
        var phase = Phase.running
        /// The ledger's own.
        var thread: pthread_t?
        /// Whose turn it is. Nil: nothing is under way, and the ledger's thread is asleep or about to look again.
        var holder: pthread_t?
        /// Some caller is running the jobs that arrived after the stop.
        var isDraining = false

        /// Whether nothing waits.
        var isEmpty: Bool { jobs.isEmpty && writes.isEmpty && !hasChore }
    }

    private struct Work {
        var jobs: [UnownedJob] = []
        var writes: [PendingWrite] = []
        var committer: (any WriteCommitter)?
        var chore: (any WriteCommitter)?
    }

    private enum Next {
        case work(Work)
        case wait
        case end
    }

    private enum Arrival {
        case noted, wake, runHere, refuse
    }

    /// The most writes that are handed over together: enough to make an fsync cheap for each, few enough that none
    /// waits long for the others.
    static let largestGroup = 256

    /// Whether the threads that tasks share are more than one.
    private static let hasSpareThread = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1

    private let state = Mutex(State())
    /// Ends the thread's wait. Safe: a semaphore is made for several threads, its address never changes, and it lives as
    /// long as this object, which the thread holds until it ends.
    private nonisolated(unsafe) let arrivals: UnsafeMutablePointer<sem_t>

    init() throws(LedgerError) {
        arrivals = .allocate(capacity: 1)
        // It can fail only by a value that is too large.
        sem_init(arrivals, 0, 0)
        try start()
    }

    deinit {
        sem_destroy(arrivals)
        arrivals.deallocate()
    }

    private func start() throws(LedgerError) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<LedgerThread>.fromOpaque(context).takeRetainedValue().runUntilStopped()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            throw .openFailed(
                "no thread is to be had (\(SystemError.text(result)))",
                nextStep: "Raise the limit of processes and threads of this user.")
        }
        state.withLock { $0.thread = thread }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let arrival = state.withLock { state -> Arrival in
            let wakes = Self.mustWake(state)
            state.jobs.append(job)
            guard state.phase == .stopped else { return wakes ? .wake : .noted }
            guard !state.isDraining else { return .noted }
            state.isDraining = true
            return .runHere
        }
        switch arrival {
        case .noted, .refuse: break
        case .wake: wake()
        case .runHere: drain()
        }
    }

    /// Hands `write` to `committer`: at once, on this thread, when nothing is under way, else on the ledger's thread,
    /// together with others that wait. Refuses it when that thread has stopped. All writes of one ledger come with the same
    /// committer.
    func submit(_ write: PendingWrite, to committer: any WriteCommitter) {
        let arrival = state.withLock { state -> Arrival in
            guard state.phase != .stopped else { return .refuse }
            if Self.beginTurn(&state) { return .runHere }
            let wakes = Self.mustWake(state)
            state.writes.append(write)
            state.committer = committer
            return wakes ? .wake : .noted
        }
        switch arrival {
        case .refuse: write.refuse(.closed)
        case .noted: break
        case .wake: wake()
        case .runHere:
            let outcome = FileSizeSignal.heldBack { committer.commitWithoutWaiting(write) }
            endTurn(leaving: { state in
                switch outcome {
                case .done: return
                case .doneWithChore: state.hasChore = true
                case .mustWait: state.writes.insert(write, at: 0)
                }
                state.committer = committer
            })
        }
    }

    /// Runs `body` at once, on this thread; nil when something else is under way.
    func ifIdle<Result>(_ body: () -> Result) -> Result? {
        let begins = state.withLock { state in Self.beginTurn(&state) }
        guard begins else { return nil }
        defer { endTurn(leaving: { _ in }) }
        return body()
    }

    /// Gives the turn to the caller, if it may have it.
    private static func beginTurn(_ state: inout State) -> Bool {
        guard state.phase == .running, state.holder == nil, state.isEmpty, hasSpareThread else { return false }
        state.holder = pthread_self()
        return true
    }

    /// Ends the turn of a caller.
    ///
    /// - Parameter leave: what it leaves for the ledger's thread.
    private func endTurn(leaving leave: (inout State) -> Void) {
        let wakes = state.withLock { state in
            state.holder = nil
            leave(&state)
            return !state.isEmpty || state.phase == .stopping
        }
        if wakes { wake() }
    }

    /// Whether something that arrives now finds the ledger's thread asleep. Whoever holds the turn looks again by itself.
    private static func mustWake(_ state: State) -> Bool { state.isEmpty && state.holder == nil }

    /// How many writes wait for their commit.
    var waitingWrites: Int { state.withLock { $0.writes.count } }

    /// Whether the ledger's own thread has the turn.
    var isAtWork: Bool {
        state.withLock { state in
            guard let holder = state.holder, let thread = state.thread else { return false }
            return pthread_equal(holder, thread) != 0
        }
    }

    func checkIsolated() {
        let holder = state.withLock { $0.holder }
        precondition(holder.map { pthread_equal($0, pthread_self()) != 0 } ?? false, "not in the ledger's turn")
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Runs what has arrived, ends the thread and waits for its end. Later calls do nothing. Never call it on the
    /// thread itself.
    func stop() {
        if let thread = beginStopping() { pthread_join(thread, nil) }
    }

    /// The same without the wait.
    func abandon() {
        if let thread = beginStopping() { pthread_detach(thread) }
    }

    private func beginStopping() -> pthread_t? {
        let thread = state.withLock { state -> pthread_t? in
            guard state.phase == .running else { return nil }
            state.phase = .stopping
            return state.thread
        }
        if thread != nil { wake() }
        return thread
    }

    private func wake() {
        sem_post(arrivals)
    }

    private func runUntilStopped() {
        // Signals are for the threads that expect them. SIGXFSZ, blocked, turns into a failed write.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_SETMASK, &signals, nil)
        while true {
            switch nextWork() {
            case .end: return
            case .wait: waitForWake()
            case .work(let work):
                if !work.writes.isEmpty { work.committer?.commit(work.writes) }
                for job in work.jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
                work.chore?.doChore()
            }
        }
    }

    private func nextWork() -> Next {
        state.withLock { state in
            let own = pthread_self()
            if let holder = state.holder, pthread_equal(holder, own) == 0 { return .wait }
            state.holder = nil
            if state.isEmpty {
                guard state.phase == .stopping else { return .wait }
                state.phase = .stopped
                return .end
            }
            state.holder = own
            let writes = state.writes.prefix(Self.largestGroup)
            state.writes.removeFirst(writes.count)
            // Nobody waits for a chore, so it comes last.
            let isLast = state.writes.isEmpty && state.hasChore
            let work = Work(
                jobs: state.jobs, writes: Array(writes), committer: state.committer,
                chore: isLast ? state.committer : nil)
            state.jobs = []
            if isLast { state.hasChore = false }
            // It holds the ledger, which may go away when nobody waits for a write.
            if state.writes.isEmpty, !state.hasChore { state.committer = nil }
            return .work(work)
        }
    }

    private func waitForWake() {
        while sem_wait(arrivals) != 0, errno == EINTR {}
    }

    private func drain() {
        while true {
            let jobs = state.withLock { state -> [UnownedJob] in
                let jobs = state.jobs
                state.jobs = []
                if jobs.isEmpty { state.isDraining = false }
                return jobs
            }
            guard !jobs.isEmpty else { return }
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }
}
