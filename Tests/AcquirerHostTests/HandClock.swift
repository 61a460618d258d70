import Synchronization
import Transport

/// A clock that only a test moves: nothing times out by itself, however slow the machine is.
final class HandClock: MonotonicClock {
    private struct Sleeper {
        let id: UInt64
        let instant: MonotonicInstant
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = MonotonicInstant(nanoseconds: 1_000_000_000)
        var sleepers: [Sleeper] = []
        var cancelled: Set<UInt64> = []
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())

    func now() -> MonotonicInstant { state.withLock { $0.now } }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.instant <= state.now }
            state.sleepers.removeAll { $0.instant <= state.now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    func sleep(until instant: MonotonicInstant) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let endsNow = state.withLock { state in
                    if state.cancelled.remove(id) != nil || instant <= state.now { return true }
                    state.sleepers.append(Sleeper(id: id, instant: instant, continuation: continuation))
                    return false
                }
                if endsNow { continuation.resume() }
            }
        } onCancel: {
            let sleeper: Sleeper? = state.withLock { state in
                guard let place = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: place)
            }
            sleeper?.continuation.resume()
        }
    }
}
