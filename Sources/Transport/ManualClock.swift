import Synchronization

/// A clock that stands still until a test moves it, and that lets the test know who sleeps on it. Beside it, `VirtualClock`
/// moves by itself.
public final class ManualClock: MonotonicClock {
    private struct State {
        var now = MonotonicInstant(nanoseconds: 1_000_000_000)
        var nextID = 0
        var sleepers: [Int: (until: MonotonicInstant, wake: CheckedContinuation<Void, Never>)] = [:]
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    public init() {}

    public func now() -> MonotonicInstant { state.withLock { $0.now } }

    public func move(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.wake)
        }
        for sleeper in due { sleeper.resume() }
    }

    /// Tasks that sleep now.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Returns when at least one task sleeps.
    public func untilSomebodySleeps() async {
        await withCheckedContinuation { continuation in
            let isSo = state.withLock { state in
                if state.sleepers.isEmpty { state.watchers.append(continuation) }
                return !state.sleepers.isEmpty
            }
            if isSo { continuation.resume() }
        }
    }

    public func sleep(until instant: MonotonicInstant) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isOver, watchers) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                    if instant <= state.now || Task.isCancelled { return (true, []) }
                    state.sleepers[id] = (instant, continuation)
                    defer { state.watchers = [] }
                    return (false, state.watchers)
                }
                if isOver { continuation.resume() }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.wake.resume()
        }
    }
}
