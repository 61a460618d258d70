import Payments
import Synchronization

/// A payment in a task that can be cancelled from within.
final class Payment: Sendable {
    private let task = Mutex<Task<PaymentResult, any Error>?>(nil)

    func run(_ body: @escaping @Sendable () async throws -> PaymentResult) async throws -> PaymentResult {
        let begun = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            // Nothing happens before there is a task to cancel.
            for await _ in begun.stream { break }
            return try await body()
        }
        self.task.withLock { $0 = task }
        begun.continuation.yield()
        return try await task.value
    }

    func cancel() { task.withLock { $0 }?.cancel() }
}
