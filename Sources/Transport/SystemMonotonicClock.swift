import Glibc

/// CLOCK_MONOTONIC. The clock of production; `sleep` is served by one thread for the whole process.
public final class SystemMonotonicClock: MonotonicClock {
    public static let shared = SystemMonotonicClock()

    private let timer: Result<TimerThread, TransportError>

    private init() {
        do throws(TransportError) {
            timer = .success(try TimerThread(now: Self.read))
        } catch {
            timer = .failure(error)
        }
    }

    public func now() -> MonotonicInstant {
        Self.read()
    }

    /// Suspends until `instant`; returns early when the task is cancelled. Traps when the process could not even start
    /// a thread, since a wait that does not wait would turn every retry into a busy loop.
    public func sleep(until instant: MonotonicInstant) async {
        switch timer {
        case .success(let timer): await timer.sleep(until: instant)
        case .failure(let error): fatalError("no timer thread: \(error)")
        }
    }

    /// A clock that somebody has shifted to before its start stands at zero.
    static func instant(_ time: timespec) -> MonotonicInstant {
        let seconds = UInt64(clamping: time.tv_sec) &* 1_000_000_000
        return MonotonicInstant(nanoseconds: seconds &+ UInt64(clamping: time.tv_nsec))
    }

    @Sendable private static func read() -> MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return instant(time)
    }
}
