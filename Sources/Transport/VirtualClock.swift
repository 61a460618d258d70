import Synchronization

/// A clock that moves only when somebody sleeps on it or moves it by hand. A test with it never waits for real.
public final class VirtualClock: MonotonicClock {
    private let time: Mutex<MonotonicInstant>

    public init(startingAt start: MonotonicInstant = MonotonicInstant(nanoseconds: 1_000_000_000)) {
        time = Mutex(start)
    }

    public func now() -> MonotonicInstant {
        time.withLock { $0 }
    }

    /// Moves the clock to `instant` at once; earlier instants leave it where it is.
    public func move(to instant: MonotonicInstant) {
        time.withLock { $0 = max($0, instant) }
    }

    public func sleep(until instant: MonotonicInstant) async {
        move(to: instant)
        await Task.yield()
    }
}
