import Synchronization

/// Lets one operation through at a time and refuses the second one, instead of letting the two interleave on the wire.
final class OperationGate: Sendable {
    enum State {
        case free, taken, closed
    }

    private struct Gate {
        var state = State.free
        var observer: (any OperationObserver)?
    }

    private let gate = Mutex(Gate())

    /// Who is told of each operation from now on. One at a time: a later one takes the place of an earlier one.
    func observe(by observer: any OperationObserver) {
        gate.withLock { $0.observer = observer }
    }

    /// Runs `body` alone.
    /// - Throws: `.busy` while another operation runs, `.closed` after `close()`, and what `body` throws.
    func run<Result>(
        _ operation: String, _ body: () async throws(ReaderError) -> Result
    ) async throws(ReaderError) -> Result {
        let (before, observer) = gate.withLock { gate in
            let before = gate.state
            if before == .free { gate.state = .taken }
            return (before, gate.observer)
        }
        switch before {
        case .taken: throw ReaderError(.busy, during: operation, detail: "another operation is under way")
        case .closed: throw ReaderError(.closed, during: operation)
        case .free: break
        }
        observer?.began(operation)
        do throws(ReaderError) {
            let result = try await body()
            leave(operation, nil, observer)
            return result
        } catch {
            leave(operation, error, observer)
            throw error
        }
    }

    /// Tells the end before the next operation can begin.
    private func leave(_ operation: String, _ error: ReaderError?, _ observer: (any OperationObserver)?) {
        observer?.ended(operation, error)
        let isClosed = gate.withLock { gate in
            if gate.state == .taken { gate.state = .free }
            return gate.state == .closed
        }
        if isClosed { observer?.closed() }
    }

    /// From now on every operation is refused. Answers how it was before.
    func close() -> State {
        let (before, observer) = gate.withLock { gate in
            defer { gate.state = .closed }
            // What is under way tells it when it has ended.
            return (gate.state, gate.state == .free ? gate.observer : nil)
        }
        observer?.closed()
        return before
    }
}
