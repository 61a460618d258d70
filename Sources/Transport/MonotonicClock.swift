/// Where deadlines come from. Production uses `SystemMonotonicClock`; tests use `VirtualClock`.
public protocol MonotonicClock: Sendable {
    /// The present instant.
    func now() -> MonotonicInstant

    /// Suspends until `instant`. Returns early, without throwing, when the task is cancelled:
    /// the caller looks at `Task.isCancelled` when that matters to it.
    func sleep(until instant: MonotonicInstant) async
}
