import Glibc

/// Runs a small program of the system and reads what it says.
enum CommandOutput {
    /// The first line of standard output; nil when the program is missing, fails or says nothing.
    static func firstLine(of program: String, arguments: [String]) -> String? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        _ = fcntl(reading, F_SETFD, FD_CLOEXEC)
        _ = fcntl(writing, F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, writing, 1)
        var argv = ([program] + arguments).map { strdup($0) }
        defer { argv.forEach { free($0) } }
        argv.append(nil)
        var child: pid_t = 0
        let failure = posix_spawnp(&child, program, &actions, nil, argv, environ)
        close(writing)
        guard failure == 0 else { return nil }
        let text = readAll(reading, limit: 4096)
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        guard status == 0 else { return nil }
        return text.split(whereSeparator: \.isNewline).first.map(String.init)
    }

    private static func readAll(_ descriptor: Int32, limit: Int) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 512)
        while bytes.count < limit {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
