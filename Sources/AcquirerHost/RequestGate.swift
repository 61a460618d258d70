import Synchronization

/// Counts what is being answered on one connection, so that a client cannot pile up work.
final class RequestGate: Sendable {
    private let count = Atomic(0)
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// False when there are too many.
    func enter() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= limit else {
            leave()
            return false
        }
        return true
    }

    func leave() {
        count.subtract(1, ordering: .relaxed)
    }
}
