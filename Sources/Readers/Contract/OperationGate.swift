import Synchronization

/// Lets one operation through at a time and refuses the second one, instead of letting the two interleave on the wire.
final class OperationGate: Sendable {
    enum State {
        case free, taken, closed
    }

    private let state = Mutex(State.free)

    /// Runs `body` alone.
    /// - Throws: `.busy` while another operation runs, `.closed` after `close()`, and what `body` throws.
    func run<Result>(
        _ operation: String, _ body: () async throws(ReaderError) -> Result
    ) async throws(ReaderError) -> Result {
        let before = state.withLock { state in
            let before = state
            if state == .free { state = .taken }
            return before
        }
        switch before {
        case .taken: throw ReaderError(.busy, during: operation, detail: "another operation is under way")
        case .closed: throw ReaderError(.closed, during: operation)
        case .free: break
        }
        defer { state.withLock { if $0 == .taken { $0 = .free } } }
        return try await body()
    }

    /// From now on every operation is refused. Answers how it was before.
    func close() -> State {
        state.withLock { state in
            defer { state = .closed }
            return state
        }
    }
}
