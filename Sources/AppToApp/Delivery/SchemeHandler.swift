import Glibc
import Synchronization
import Transport

/// Hands a URL to the program that is registered for its scheme: one argument, no shell.
struct SchemeHandler: Sendable {
    /// The program and its own arguments; a name is looked up in PATH.
    let command: [String]
    let clock: any MonotonicClock

    /// Starts it and waits until it ends, at most so long. A program that still runs then has the URL.
    func open(_ url: String, limit: Duration) async throws(DeliveryFailure) {
        guard let program = command.first else { throw .handlerMissing("none is configured") }
        let process: pid_t
        do throws(SpawnFailure) {
            process = try Self.spawn(program, command + [url])
        } catch {
            throw .handlerMissing("\(program): \(String(cString: strerror(error.number)))")
        }
        switch await Self.end(of: process, limit, clock) {
        case .stillRunning, .ended(0): return
        case .ended(let status): throw .handlerFailed(status: status)
        }
    }

    private struct SpawnFailure: Error { let number: Int32 }

    private static func spawn(_ program: String, _ arguments: [String]) throws(SpawnFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Its words are no result of ours.
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        // Our own descriptors close themselves; these may have come from whoever started us.
        for descriptor in STDERR_FILENO + 1..<min(1024, getdtablesize()) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A session of its own: a Ctrl-C here is not meant for it.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | 0x80  // POSIX_SPAWN_SETSID
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let number = posix_spawnp(&process, program, &actions, &attributes, &words, environment)
        guard number == 0 else { throw SpawnFailure(number: number) }
        return process
    }

    /// The program's own environment, as `environ` holds it.
    private static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        dlsym(nil, "environ")?.load(as: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.self)
    }

    private enum Ending: Sendable {
        case stillRunning
        /// 128 + the signal when one ended it.
        case ended(Int32)
    }

    private static func end(of process: pid_t, _ limit: Duration, _ clock: any MonotonicClock) async -> Ending {
        let first = FirstAnswer<Ending>()
        return await withCheckedContinuation { continuation in
            first.wait(continuation)
            let timer = Task {
                await clock.sleep(until: clock.now().advanced(by: limit))
                if !Task.isCancelled { first.give(.stillRunning) }
            }
            do throws(TransportError) {
                try PlainThread.start(named: "handler") {
                    let status = Self.wait(for: process)
                    timer.cancel()
                    first.give(.ended(status))
                }
            } catch {
                first.give(.stillRunning)
            }
        }
    }

    private static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) != process {
            guard errno == EINTR else { return 0 }
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

/// Gives a waiter the first of several answers, and drops the others.
private final class FirstAnswer<Answer: Sendable>: Sendable {
    private let waiter = Mutex<CheckedContinuation<Answer, Never>?>(nil)

    func wait(_ continuation: CheckedContinuation<Answer, Never>) {
        waiter.withLock { $0 = continuation }
    }

    func give(_ answer: Answer) {
        let continuation = waiter.withLock { waiter in
            defer { waiter = nil }
            return waiter
        }
        continuation?.resume(returning: answer)
    }
}
