import Glibc

/// Reading what a command is given, up to a limit.
enum InputFile {
    /// All bytes of a file, or of standard input for `-`.
    static func read(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        if path == "-" { return try read(STDIN_FILENO, "Standard input", limit) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure(named: "The file '\(path)' cannot be read.") }
        defer { close(descriptor) }
        return try read(descriptor, "The file '\(path)'", limit)
    }

    /// For a file that a configuration names: a pipe without a writer would hold a kiosk up for ever.
    ///
    /// - Parameter name: of the setting.
    static func requireRegular(_ path: String, for name: String) throws(CommandFailure) {
        guard !isNoRegularFile(path) else {
            throw CommandFailure(named: "\(name): a regular file is expected, another was given.")
        }
    }

    /// It is there, and something else. Whether it is there and can be read is told when it is opened.
    static func isNoRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func read(_ descriptor: Int32, _ name: String, _ limit: Int) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw CommandFailure(named: "\(name) cannot be read.") }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else {
                throw CommandFailure(named: "\(name) is larger than \(limit) bytes.")
            }
            bytes += chunk[..<count]
        }
    }
}
