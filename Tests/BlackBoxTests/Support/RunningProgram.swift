import Foundation
import Glibc
import Synchronization
import Testing

/// A program under way. One thread of its own reads what it writes, kills it at its limit and learns of its end, so that a
/// test which waits does not hold a thread of the test runner's pool.
final class RunningProgram: Sendable {
    let program: Program
    let processId: pid_t
    private let input: Int32
    private let output: Int32
    private let errors: Int32
    private let state: Mutex<State>

    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        /// Bytes of `output` that were handed out as lines.
        var taken = 0
        var isInputOpen = true
        /// Grows with everything that a waiter may wait for.
        var version = 0
        var ended: Ended?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    struct CannotStart: Error {
        var title: String
        var reason: String
    }

    private init(_ program: Program, _ processId: pid_t, _ input: Int32, _ output: Int32, _ errors: Int32) {
        self.program = program
        self.processId = processId
        self.input = input
        self.output = output
        self.errors = errors
        state = Mutex(State())
    }

    /// Held while pipes are made and handed on: no other program of ours may inherit them.
    private static let spawning = Mutex(())

    static func start(_ program: Program, environment: [String: String]) throws -> RunningProgram {
        // A program that has ended makes writing to it fail, and must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        let running = try spawning.withLock { _ in try spawn(program, environment) }
        Thread.detachNewThread { running.pump() }
        return running
    }

    private static func spawn(_ program: Program, _ environment: [String: String]) throws -> RunningProgram {
        var pipes = [[Int32]](repeating: [-1, -1], count: 3)
        for index in pipes.indices where pipe(&pipes[index]) != 0 {
            throw CannotStart(title: program.title, reason: "no pipe")
        }
        if program.isInteractive {
            guard let terminal = makeTerminal() else {
                throw CannotStart(title: program.title, reason: "no pseudo terminal")
            }
            pipes[2].forEach { close($0) }
            pipes[2] = terminal
        }
        for descriptor in pipes.joined() { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
        var process: pid_t = 0
        let failure = spawn(program, environment, theirs, &process)
        theirs.forEach { close($0) }
        guard failure == 0 else {
            [pipes[0][1], pipes[1][0], pipes[2][0]].forEach { close($0) }
            throw CannotStart(title: program.title, reason: String(cString: strerror(failure)))
        }
        return RunningProgram(program, process, pipes[0][1], pipes[1][0], pipes[2][0])
    }

    /// Both ends of a pseudo terminal that passes bytes on as they are: ours first.
    private static func makeTerminal() -> [Int32]? {
        let ours = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        // TIOCSPTLCK and TIOCGPTN: glibc's own names for the two need more than its module offers.
        var (lock, number) = (Int32(0), UInt32(0))
        guard ours >= 0, ioctl(ours, 0x4004_5431, &lock) == 0, ioctl(ours, 0x8004_5430, &number) == 0 else {
            return nil
        }
        let theirs = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        var settings = termios()
        guard theirs >= 0, tcgetattr(theirs, &settings) == 0 else { return nil }
        cfmakeraw(&settings)
        tcsetattr(theirs, TCSANOW, &settings)
        return [ours, theirs]
    }

    private static func spawn(
        _ program: Program, _ environment: [String: String], _ descriptors: [Int32], _ process: inout pid_t
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
        if let file = program.inputFile {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, file, O_RDONLY, 0)
        }
        // Pipes of other tests must not live on in this program: whoever reads them would wait for its end.
        for descriptor in Int32(3)..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETPGROUP)))
        var arguments = ([program.executable] + program.arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        return posix_spawnp(&process, program.executable, &actions, &attributes, &arguments, &variables)
    }

    // MARK: Talking to it

    func write(_ text: String) { write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func closeInput() {
        let isOpen = state.withLock { state in
            defer { state.isInputOpen = false }
            return state.isInputOpen
        }
        if isOpen { close(input) }
    }

    func send(_ signal: Int32) {
        if !hasEnded { kill(processId, signal) }
    }

    var hasEnded: Bool { state.withLock { $0.ended != nil } }

    /// The next line of standard output; nil when there is none before its end.
    func line() async -> String? {
        while true {
            let (line, isOver, version) = state.withLock { state -> (String?, Bool, Int) in
                let rest = state.output[state.taken...]
                guard let end = rest.firstIndex(of: 0x0A) else { return (nil, state.ended != nil, state.version) }
                state.taken = end + 1
                return (String(decoding: rest[..<end], as: UTF8.self), false, state.version)
            }
            if line != nil || isOver { return line }
            await change(since: version)
        }
    }

    /// The next line with these words in it; the lines before it are skipped.
    func line(containing words: String) async -> String? {
        while let line = await line() {
            if line.contains(words) { return line }
        }
        return nil
    }

    /// Waits until standard error has these words. False when it ends without them.
    func hasTold(_ words: String) async -> Bool {
        while true {
            let (told, isOver, version) = state.withLock { state in
                (String(decoding: state.errors, as: UTF8.self).contains(words), state.ended != nil, state.version)
            }
            if told || isOver { return told }
            await change(since: version)
        }
    }

    func end() async -> Ended {
        while true {
            let (ended, version) = state.withLock { ($0.ended, $0.version) }
            if let ended { return ended }
            await change(since: version)
        }
    }

    /// Everything that it has written.
    var written: [UInt8] { state.withLock { $0.output + [0x0A] + $0.errors } }

    private func change(since version: Int) async {
        await withCheckedContinuation { continuation in
            let isNews = state.withLock { state in
                if state.version == version { state.waiters.append(continuation) }
                return state.version != version
            }
            if isNews { continuation.resume() }
        }
    }

    // MARK: Its own thread

    private func pump() {
        let start = ContinuousClock.now
        var open = [output, errors]
        var wasKilled = false
        var status: Int32?
        while status == nil || !open.isEmpty {
            var entries = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // The end of the process is no event of a pipe that a child of it still holds.
            poll(&entries, nfds_t(entries.count), status == nil ? 20 : 0)
            let silent = entries.filter { $0.revents == 0 }.count
            for entry in entries where entry.revents != 0 && !read(entry.fd, isOutput: entry.fd == output) {
                open.removeAll { $0 == entry.fd }
            }
            if status != nil, silent == entries.count { break }
            var ending: Int32 = 0
            if status == nil, waitpid(processId, &ending, WNOHANG) == processId { status = ending }
            if status == nil, !wasKilled, ContinuousClock.now - start > .seconds(program.limit) {
                wasKilled = true
                kill(-processId, SIGKILL)
            }
        }
        close(output)
        close(errors)
        closeInput()
        finish(status ?? 0, wasKilled)
    }

    /// False at the end of the pipe.
    private func read(_ descriptor: Int32, isOutput: Bool) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        let waiters = state.withLock { state in
            if isOutput { state.output += chunk[..<count] } else { state.errors += chunk[..<count] }
            return Self.wake(&state)
        }
        waiters.forEach { $0.resume() }
        return true
    }

    private func finish(_ status: Int32, _ wasKilled: Bool) {
        let signal = status & 0x7F
        let waiters = state.withLock { state in
            state.ended = Ended(
                status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
                output: String(decoding: state.output, as: UTF8.self),
                errors: String(decoding: state.errors, as: UTF8.self), wasKilled: wasKilled)
            return Self.wake(&state)
        }
        waiters.forEach { $0.resume() }
    }

    /// Those who wait for a change; they are resumed without the lock.
    private static func wake(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        state.version += 1
        defer { state.waiters = [] }
        return state.waiters
    }
}
