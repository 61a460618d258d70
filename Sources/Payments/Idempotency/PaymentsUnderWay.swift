import Synchronization

/// What this pipeline is doing at the moment: its transactions, and its requests with an identifier.
final class PaymentsUnderWay: Sendable {
    private struct Request {
        let digest: String
        /// Equal requests that came later. Nil tells them that it is too late to wait.
        var followers: [CheckedContinuation<PaymentResult?, Never>] = []
    }

    private struct State {
        var transactions: Set<String> = []
        var requests: [RequestKey.Name: Request] = [:]
    }

    private enum Part {
        case lead, follow, conflict
    }

    private let state = Mutex(State())

    func contains(_ id: String) -> Bool { state.withLock { $0.transactions.contains(id) } }

    func began(_ id: String) { state.withLock { _ = $0.transactions.insert(id) } }

    func ended(_ id: String) { state.withLock { _ = $0.transactions.remove(id) } }

    /// Carries the request out, or waits for the result of an equal one that is under way already. Cancelling the task
    /// that came first cancels the payment; cancelling another one does nothing to it.
    ///
    /// - Returns: nil when the identifier is under way with other data.
    func once(_ key: RequestKey, _ body: () async -> PaymentResult) async -> PaymentResult? {
        while true {
            let part = state.withLock { state -> Part in
                if let known = state.requests[key.name] { return known.digest == key.digest ? .follow : .conflict }
                state.requests[key.name] = Request(digest: key.digest)
                return .lead
            }
            switch part {
            case .conflict: return nil
            case .follow:
                if let result = await result(of: key) { return result }
            case .lead:
                let result = await body()
                let request = state.withLock { $0.requests.removeValue(forKey: key.name) }
                for follower in request?.followers ?? [] { follower.resume(returning: result) }
                return result
            }
        }
    }

    /// Nil when no equal request is under way any more.
    private func result(of key: RequestKey) async -> PaymentResult? {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                guard state.requests[key.name]?.digest == key.digest else { return false }
                state.requests[key.name]?.followers.append(continuation)
                return true
            }
            if !waits { continuation.resume(returning: nil) }
        }
    }
}
