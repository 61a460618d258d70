import Synchronization

/// Whether what the issuer said is in the ledger.
final class AnswerRecord: Sendable {
    private enum Progress {
        case noAnswer, answered, written
        case waitedFor(CheckedContinuation<Void, Never>)
    }

    private let progress = Mutex(Progress.noAnswer)

    /// The issuer has answered: somebody is about to write it.
    func expect() {
        progress.withLock { $0 = .answered }
    }

    func wasWritten() {
        let waiting = progress.withLock { progress -> CheckedContinuation<Void, Never>? in
            defer { progress = .written }
            guard case .waitedFor(let continuation) = progress else { return nil }
            return continuation
        }
        waiting?.resume()
    }

    /// Returns at once when there is nothing to write.
    func untilWritten() async {
        await withCheckedContinuation { continuation in
            let goesOn = progress.withLock { progress in
                guard case .answered = progress else { return true }
                progress = .waitedFor(continuation)
                return false
            }
            if goesOn { continuation.resume() }
        }
    }
}
