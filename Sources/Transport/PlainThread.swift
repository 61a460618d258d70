import Glibc

/// Operating-system threads for work that blocks, which must never happen on a Swift concurrency thread.
package enum PlainThread {
    /// Runs `body` on a new detached thread with every signal blocked, so that signals reach the main program.
    /// The owner learns of its end from `body` itself (typically by a continuation resumed as its last statement).
    package static func start(named name: String, _ body: @escaping @Sendable () -> Void) throws(TransportError) {
        let job = Unmanaged.passRetained(Job(name: name, body: body))
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, { Job.run($0) }, job.toOpaque())
        guard code == 0 else {
            job.release()
            throw TransportError(.failed, during: "start thread", underlying: "errno \(code)")
        }
        pthread_detach(thread)
    }

    private final class Job: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let argument else { return nil }
            let job = Unmanaged<Job>.fromOpaque(argument).takeRetainedValue()
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            job.nameThread()
            job.body()
            return nil
        }

        /// The kernel keeps 15 bytes of a thread's name. Without /proc a thread stays nameless.
        private func nameThread() {
            let descriptor = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            let bytes = Array(name.utf8.prefix(15))
            _ = write(descriptor, bytes, bytes.count)
            close(descriptor)
        }
    }
}
