import Synchronization

/// Ends the sleeps of all tasks from one plain thread with relative waits. (`Task.sleep` waits on an absolute time,
/// which never comes when a test shifts the process's clock.)
final class TimerThread: Sendable {
    private enum Sleeper {
        /// The task was cancelled before it had begun to wait.
        case cancelledEarly
        case waiting(until: MonotonicInstant, CheckedContinuation<Void, Never>)
    }

    private struct State {
        var sleepers: [UInt64: Sleeper] = [:]
        var lastID: UInt64 = 0
        /// When the thread will look again of its own accord.
        var nextLook = MonotonicInstant(nanoseconds: .max)
    }

    private let now: @Sendable () -> MonotonicInstant
    private let state = Mutex(State())
    private let pipe: WakePipe

    /// The thread lives as long as the process: this is for the one shared clock.
    init(now: @escaping @Sendable () -> MonotonicInstant) throws(TransportError) {
        self.now = now
        pipe = try WakePipe()
        try PlainThread.start(named: "timer") { self.loop() }
    }

    /// Suspends until `instant`, or until the task is cancelled.
    func sleep(until instant: MonotonicInstant) async {
        guard instant > now() else { return await Task.yield() }
        let id = state.withLock { state in
            state.lastID &+= 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { begin(id, until: instant, $0) }
        } onCancel: {
            cancel(id)
        }
        // A cancel that came too late to end this sleep leaves nothing behind.
        state.withLock { _ = $0.sleepers.removeValue(forKey: id) }
    }

    private func begin(_ id: UInt64, until instant: MonotonicInstant, _ continuation: CheckedContinuation<Void, Never>)
    {
        let (endsNow, needsWake) = state.withLock { state in
            if case .cancelledEarly = state.sleepers[id] { return (true, false) }
            state.sleepers[id] = .waiting(until: instant, continuation)
            defer { state.nextLook = min(state.nextLook, instant) }
            return (false, instant < state.nextLook)
        }
        if endsNow { continuation.resume() }
        if needsWake { pipe.wake() }
    }

    private func cancel(_ id: UInt64) {
        let sleeper = state.withLock { state in
            guard let sleeper = state.sleepers.removeValue(forKey: id) else {
                state.sleepers[id] = .cancelledEarly
                return Sleeper.cancelledEarly
            }
            return sleeper
        }
        if case .waiting(_, let continuation) = sleeper { continuation.resume() }
    }

    private func loop() {
        while true {
            let present = now()
            let (due, nextLook) = state.withLock { state in
                var due: [CheckedContinuation<Void, Never>] = []
                var next = MonotonicInstant(nanoseconds: .max)
                for (id, sleeper) in state.sleepers {
                    guard case .waiting(let instant, let continuation) = sleeper else { continue }
                    if instant <= present {
                        state.sleepers.removeValue(forKey: id)
                        due.append(continuation)
                    } else {
                        next = min(next, instant)
                    }
                }
                state.nextLook = next
                return (due, next)
            }
            for continuation in due { continuation.resume() }
            if due.isEmpty { pipe.wait(atMost: present.duration(to: nextLook)) }
        }
    }
}
