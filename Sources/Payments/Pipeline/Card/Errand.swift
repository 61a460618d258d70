import Glibc
import Readers
import Synchronization

/// Something that is done once, while a reader is waited for in any case, so that neither the card nor the person waits for it.
/// Belongs to one task. A reader that answers without a wait leaves no time for it: then it is not done.
final class Errand<Outcome> {
    private let body: () async -> Outcome
    /// Nil: not done.
    private(set) var outcome: Outcome?

    init(_ body: @escaping () async -> Outcome) {
        self.body = body
    }

    /// Returns what `operation` returns. The task in which it runs is not cancelled with the caller's.
    func done<Answer: Sendable>(
        during operation: @escaping @Sendable () async throws(ReaderError) -> Answer
    ) async throws(ReaderError) -> Answer {
        guard outcome == nil else { return try await operation() }
        let ending = Ending()
        let caller = pthread_self()
        // Begins on this thread, and comes back here as soon as there is something to wait for.
        let task = Task.immediate { () -> Result<Answer, ReaderError> in
            let answer: Result<Answer, ReaderError>
            do throws(ReaderError) {
                answer = .success(try await operation())
            } catch {
                answer = .failure(error)
            }
            // The caller's thread came here without a wait, or it has looked at this already.
            if pthread_equal(caller, pthread_self()) != 0 { ending.isWithoutWait.store(true, ordering: .relaxed) }
            return answer
        }
        if !ending.isWithoutWait.load(ordering: .relaxed) { outcome = await body() }
        return try await task.value.get()
    }
}

private final class Ending: Sendable {
    let isWithoutWait = Atomic(false)
}
