import Synchronization

/// Nanoseconds that a sale spent with others: its card, its host.
final class Stopwatch: Sendable {
    private let elapsed = Atomic(0)

    func count<Result, Failure: Error>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let start = ContinuousClock.now
        defer { elapsed.add(nanoseconds(ContinuousClock.now - start), ordering: .relaxed) }
        return try await body()
    }

    /// What it has counted since the last time.
    func take() -> Int { elapsed.exchange(0, ordering: .relaxed) }
}

func nanoseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
}
