import Glibc
import Synchronization

/// The thread that every blocking call of one ledger is made on, so that a slow disk never holds up the threads that
/// Swift's tasks share. Jobs run one after another in the order in which they arrive; writes that have gathered meanwhile
/// are handed over together, before the jobs.
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
        /// What to do with them.
        var commit: Commit?
        var phase = Phase.running
        var thread: pthread_t?
        /// Some caller is running the jobs that arrived after the stop.
        var isDraining = false

        /// Whether the thread has nothing to do, and so may be asleep.
        var isEmpty: Bool { jobs.isEmpty && writes.isEmpty }
    }

    typealias Commit = @Sendable ([PendingWrite]) -> Void

    private struct Work {
        var jobs: [UnownedJob]
        var writes: ArraySlice<PendingWrite>
        var commit: Commit?
    }

    /// The most writes that are handed over together: enough to make an fsync cheap for each, few enough that none
    /// waits long for the others.
    static let largestGroup = 256

    private enum Arrival {
        case alreadyAwake, wake, runHere
    }

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
            let wasEmpty = state.isEmpty
            state.jobs.append(job)
            guard state.phase == .stopped else { return wasEmpty ? .wake : .alreadyAwake }
            guard !state.isDraining else { return .alreadyAwake }
            state.isDraining = true
            return .runHere
        }
        switch arrival {
        case .alreadyAwake: break
        case .wake: wake()
        case .runHere: drain()
        }
    }

    /// Hands `write` to `commit` on the thread, together with others that wait; refuses it when the thread has stopped.
    /// All writes of one thread come with the same `commit`.
    func submit(_ write: PendingWrite, commit: @escaping Commit) {
        let arrival = state.withLock { state -> Arrival? in
            guard state.phase != .stopped else { return nil }
            let wasEmpty = state.isEmpty
            state.writes.append(write)
            state.commit = commit
            return wasEmpty ? .wake : .alreadyAwake
        }
        switch arrival {
        case nil: write.refuse(.closed)
        case .wake: wake()
        default: break
        }
    }

    /// How many writes wait for their commit.
    var waitingWrites: Int { state.withLock { $0.writes.count } }

    func checkIsolated() {
        let thread = state.withLock { $0.thread }
        precondition(thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false, "not on the ledger's thread")
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
        while let work = nextWork() {
            work.commit?(Array(work.writes))
            for job in work.jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
            if work.jobs.isEmpty, work.writes.isEmpty { waitForWake() }
        }
    }

    /// Empty: nothing to do now. Nil: nothing will be to do here any more.
    private func nextWork() -> Work? {
        state.withLock { state in
            if state.isEmpty, state.phase == .stopping {
                state.phase = .stopped
                return nil
            }
            let writes = state.writes.prefix(Self.largestGroup)
            state.writes.removeFirst(writes.count)
            let work = Work(jobs: state.jobs, writes: writes, commit: writes.isEmpty ? nil : state.commit)
            state.jobs = []
            // It holds the ledger, which may go away when nobody waits for a write.
            if state.writes.isEmpty { state.commit = nil }
            return work
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
