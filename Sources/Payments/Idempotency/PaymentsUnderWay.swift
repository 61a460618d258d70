import Synchronization

/// What this pipeline is doing at the moment: its transactions, and its requests with an identifier.
final class PaymentsUnderWay: Sendable {
    private struct Request {
        let digest: String
        let task: Task<PaymentResult, Never>
    }

    private struct State {
        var transactions: Set<String> = []
        var requests: [RequestKey.Name: Request] = [:]
    }

    private enum Part {
        case lead(Task<PaymentResult, Never>), follow(Task<PaymentResult, Never>), conflict
    }

    private let state = Mutex(State())

    func contains(_ id: String) -> Bool { state.withLock { $0.transactions.contains(id) } }

    func began(_ id: String) { state.withLock { _ = $0.transactions.insert(id) } }

    func ended(_ id: String) { state.withLock { _ = $0.transactions.remove(id) } }

    /// Carries the request out, or waits for the result of an equal one that is under way already. Cancelling the task
    /// that came first cancels the payment; cancelling another one does nothing to it.
    ///
    /// - Returns: nil when the identifier is under way with other data.
    func once(_ key: RequestKey, _ body: @escaping @Sendable () async -> PaymentResult) async -> PaymentResult? {
        let part = state.withLock { state -> Part in
            if let known = state.requests[key.name] {
                return known.digest == key.digest ? .follow(known.task) : .conflict
            }
            let task = Task { await body() }
            state.requests[key.name] = Request(digest: key.digest, task: task)
            return .lead(task)
        }
        switch part {
        case .conflict: return nil
        case .follow(let task): return await task.value
        case .lead(let task):
            let result = await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            state.withLock { _ = $0.requests.removeValue(forKey: key.name) }
            return result
        }
    }
}
