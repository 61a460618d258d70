import Foundation
import SharedChecks

/// One run of `fwmockd -- hwcheck` over the whole list, shared by the tests that look at its lines.
enum RungTwoRun {
    static let preload = "libumockdev-preload.so.0"

    /// Why rung 2 cannot run here; nil when it can.
    static let obstacle: String? = {
        let directories = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib", "/usr/lib64"]
        guard directories.contains(where: { FileManager.default.fileExists(atPath: "\($0)/\(preload)") }) else {
            return "skipped: \(preload) not found"
        }
        return nil
    }()

    struct Result: Sendable {
        var status: Int32
        /// What follows the check's name on its result line, and the line itself, by name.
        var lines: [String: String]
        var errors: String

        func line(for name: String) -> String? { lines[name] }
    }

    static func result() async throws -> Result {
        try await shared.value
    }

    /// Seconds. The client is killed then; a mock with nothing to say makes a client wait.
    private static let limit = 100

    private static let shared = Task { try await run() }

    private static func run() async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("rung2-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let (output, errors) = (directory.appendingPathComponent("out"), directory.appendingPathComponent("err"))
        for file in [output, errors] { try Data().write(to: file) }

        let control = directory.appendingPathComponent("control").path
        let process = Process()
        process.executableURL = products.appendingPathComponent("fwmockd")
        process.arguments = [
            "--limit", "\(limit)", "--device", "reference:port=1-1", "--device", "reference:port=1-2",
            "--control", control, "--", products.appendingPathComponent("hwcheck").path, "--control", control,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        return Result(
            status: status, lines: parse(try String(contentsOf: output, encoding: .utf8)),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }

    private static func parse(_ output: String) -> [String: String] {
        var lines: [String: String] = [:]
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2)
            if words.count >= 2 { lines[String(words[1])] = String(line) }
        }
        return lines
    }

    /// Where the executables are built: beside the test bundle.
    private static let products: URL = {
        let arguments = CommandLine.arguments
        let bundle =
            arguments.firstIndex(of: "--test-bundle-path").map { arguments[arguments.index(after: $0)] } ?? arguments[0]
        return URL(fileURLWithPath: bundle).deletingLastPathComponent()
    }()
}
