import Glibc
import Synchronization

/// Ctrl-C, Ctrl-\, SIGTERM, and the loss of the terminal cancel the work under way; a second one within a second ends the program at once.
///
/// The signals are blocked before the first thread starts, so that every thread inherits it, and taken by the main thread,
/// which does nothing else: no handler runs in the middle of anything, and no thread is left that they could end.
enum InterruptHandler {
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    /// What the first interrupt does; nil while nothing runs that must wind down.
    private static let cancel = Mutex<(@Sendable () -> Void)?>(nil)

    /// Must be called on the main thread, before any other is started.
    static func block() {
        var set = signalSet()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Runs `body` in a task that an interrupt cancels.
    /// - Parameter onInterrupt: what else the first interrupt does, at once.
    static func run<Result: Sendable>(
        onInterrupt: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () async -> Result
    ) async -> Result {
        let task = Task { await body() }
        cancel.withLock { state in
            state = {
                onInterrupt()
                task.cancel()
            }
        }
        return await task.value
    }

    /// Takes the signals until the process ends.
    static func serve() -> Never {
        var set = signalSet()
        var last: timespec?
        while true {
            var signal: Int32 = 0
            guard sigwait(&set, &signal) == 0 else { continue }
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            guard let cancel = cancel.withLock({ $0 }), !isWithinASecond(last, now) else { _exit(128 + signal) }
            last = now
            cancel()
        }
    }

    private static func isWithinASecond(_ earlier: timespec?, _ now: timespec) -> Bool {
        guard let earlier else { return false }
        return (now.tv_sec - earlier.tv_sec) * 1000 + (now.tv_nsec - earlier.tv_nsec) / 1_000_000 < 1000
    }

    private static func signalSet() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
