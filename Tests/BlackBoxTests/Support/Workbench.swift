import Foundation
import Synchronization
import Testing

/// One test's directory, the programs it has run and what they wrote.
final class Workbench: Sendable {
    /// The workbench of the test that runs.
    @TaskLocal static var current: Workbench?

    let directory: String
    private let runs = Mutex<[RunningProgram]>([])

    struct NoWorkbench: Error {}

    static func mine() throws -> Workbench {
        guard let current else { throw NoWorkbench() }
        return current
    }

    init() throws {
        // Short: the path of a socket in it must fit into 108 bytes.
        directory = "/tmp/bb-" + String(UInt32.random(in: 0 ... .max), radix: 36)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    /// Where programs keep their ledger unless a test says otherwise.
    var data: String { directory + "/data" }

    func path(_ name: String) -> String { directory + "/" + name }

    func start(_ program: Program) throws -> RunningProgram {
        var environment = [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": directory,
            "LC_ALL": "C.UTF-8", "TMPDIR": directory, "READERKIT_DATA": data,
        ]
        // Where a toolchain that is not installed system-wide keeps its libraries.
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        for (name, value) in program.environment { environment[name] = value }
        let running = try RunningProgram.start(program, environment: environment)
        runs.withLock { $0.append(running) }
        return running
    }

    func run(_ program: Program) async throws -> Ended {
        var program = program
        if !program.input.isEmpty {
            let file = path("input-\(UInt32.random(in: 0 ... .max))")
            try Data(program.input).write(to: URL(fileURLWithPath: file))
            program.inputFile = file
            defer { try? FileManager.default.removeItem(atPath: file) }
            return try await ended(program)
        }
        return try await ended(program)
    }

    private func ended(_ program: Program) async throws -> Ended {
        let running = try start(program)
        let ended = await running.end()
        #expect(!ended.wasKilled, "'\(program.title)' was killed at its limit: \(ended.output) \(ended.errors)")
        return ended
    }

    /// Ends what still runs, searches everything for card numbers, and removes the directory.
    func close() async {
        let all = runs.withLock { $0 }
        for running in all where !running.hasEnded { running.send(SIGKILL) }
        for running in all { _ = await running.end() }
        for running in all where !running.program.mayShowCards {
            for number in CardNumberSearch.found(in: running.written) {
                Issue.record("'\(running.program.title)' shows the card number \(number)")
            }
        }
        let files = FileManager.default.enumerator(atPath: directory)
        while let name = files?.nextObject() as? String {
            guard let content = FileManager.default.contents(atPath: path(name)) else { continue }
            for number in CardNumberSearch.found(in: Array(content)) {
                Issue.record("the file \(name) holds the card number \(number)")
            }
        }
        try? FileManager.default.removeItem(atPath: directory)
    }
}

/// Gives each test a workbench of its own, a few tests at a time: a machine with two processors cannot start a hundred
/// programs at once without reaching their time limits.
struct BlackBoxTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await Places.shared.take()
        do {
            let workbench = try Workbench()
            do {
                try await Workbench.$current.withValue(workbench) { try await function() }
            } catch {
                await workbench.close()
                throw error
            }
            await workbench.close()
        } catch {
            await Places.shared.leave()
            throw error
        }
        await Places.shared.leave()
    }
}

extension Trait where Self == BlackBoxTrait {
    static var blackBox: Self { Self() }
}

/// A counting semaphore for tasks.
private actor Places {
    static let shared = Places(max(2, ProcessInfo.processInfo.activeProcessorCount))

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        free = count
    }

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
