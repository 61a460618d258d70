import Synchronization

/// One thread that runs blocking calls in order, for callers that must not block. Each open device has its own, so that
/// a device that makes the kernel wait holds up nobody else.
package final class BlockingWorker: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isStopping = false
    }

    private let state = Mutex(State())
    private let pipe: WakePipe

    package init(named name: String) throws(TransportError) {
        pipe = try WakePipe()
        // The thread keeps the worker alive until `stop()`.
        try PlainThread.start(named: name) { self.loop() }
    }

    /// Queues `job`. Jobs queued after `stop()` still run when they were queued before the thread has seen it.
    package func enqueue(_ job: @escaping @Sendable () -> Void) {
        state.withLock { $0.jobs.append(job) }
        pipe.wake()
    }

    /// Runs `job` on the worker's thread and returns its result. Not cancellable: the job is.
    package func run<Value: Sendable>(_ job: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            enqueue { continuation.resume(returning: job()) }
        }
    }

    /// Lets the thread end once the queued jobs are done.
    package func stop() {
        state.withLock { $0.isStopping = true }
        pipe.wake()
    }

    private func loop() {
        while true {
            let (jobs, isStopping) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.isStopping)
            }
            for job in jobs { job() }
            if jobs.isEmpty {
                if isStopping { return }
                pipe.wait(atMost: nil)
            }
        }
    }
}
