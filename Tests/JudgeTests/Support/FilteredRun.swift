import Foundation
import Testing

/// A program that gets all its input at once and is over when it has answered. Input and output are files, so that no
/// pipe of another test can keep it waiting, nor it another test; `timeout` of coreutils ends it at its limit.
struct FilteredRun {
    let status: Int32
    let output: Data
    let errors: String

    struct CannotStart: Error {
        let reason: String
    }

    init(_ program: String, _ arguments: [String], input: Data = Data(), limit seconds: Int = 120) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "judge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: directory) }
        let files = ["input", "output", "errors"].map { directory.appending(path: $0).path }
        try input.write(to: URL(fileURLWithPath: files[0]))
        let process = try Self.start(
            ["timeout", "--signal=KILL", "\(seconds)", program] + arguments, files: files)
        status = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Self.end(of: process)) }
        }
        output = try Data(contentsOf: URL(fileURLWithPath: files[1]))
        errors = String(decoding: try Data(contentsOf: URL(fileURLWithPath: files[2])), as: UTF8.self)
    }

    private static func start(_ command: [String], files: [String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, files[0], O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, files[1], O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, files[2], O_WRONLY | O_CREAT, 0o600)
        for descriptor in Int32(3)..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"]
        // Where a toolchain that is not installed system-wide keeps its libraries.
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, command[0], &actions, nil, &arguments, &variables)
        guard failure == 0 else { throw CannotStart(reason: String(cString: strerror(failure))) }
        return process
    }

    /// 128 + the signal when one ended it.
    private static func end(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) != process {
            guard errno == EINTR else { return -1 }
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
