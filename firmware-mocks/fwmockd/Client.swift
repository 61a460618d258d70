import Glibc

/// The program under test, started with the mock's environment.
struct Client {
    let process: pid_t
    private let hasOwnGroup: Bool

    /// Nil when it cannot be started; errno's name is then in `failure`.
    static func start(
        _ program: [String], adding variables: [(name: String, value: String)]
    ) -> (client: Client?, failure: Int32) {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var nothing = Signals.set([])
        var defaults = Signals.set(Signals.ending + [SIGCHLD, SIGPIPE])
        posix_spawnattr_setsigmask(&attributes, &nothing)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // A group of its own, so that the time limit ends the program's children too. Not on a terminal: a program in
        // the background may not read it.
        let hasOwnGroup = isatty(STDIN_FILENO) == 0
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(hasOwnGroup ? flags | Int32(POSIX_SPAWN_SETPGROUP) : flags))
        var argv = program.map { strdup($0) }
        var environment = merged(variables).map { strdup($0) }
        defer { (argv + environment).forEach { free($0) } }
        argv.append(nil)
        environment.append(nil)
        var process: pid_t = 0
        let failure = posix_spawnp(&process, program[0], nil, &attributes, argv, environment)
        guard failure == 0 else { return (nil, failure) }
        return (Client(process: process, hasOwnGroup: hasOwnGroup), 0)
    }

    enum End: Sendable, Hashable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// How it ended; nil while it runs.
    func end() -> End? {
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return nil }
        return Self.decode(status)
    }

    func send(_ signal: Int32) {
        kill(hasOwnGroup ? -process : process, signal)
    }

    /// Kills and waits.
    func kill() {
        send(SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
    }

    private func kill(_ target: pid_t, _ signal: Int32) {
        _ = Glibc.kill(target, signal)
    }

    /// WIFEXITED and its like are macros that Swift does not import.
    private static func decode(_ status: Int32) -> End {
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
    }

    private static func merged(_ variables: [(name: String, value: String)]) -> [String] {
        var result: [String] = []
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if !variables.contains(where: { text.hasPrefix($0.name + "=") }) { result.append(text) }
            next += 1
        }
        return result + variables.map { "\($0.name)=\($0.value)" }
    }
}
