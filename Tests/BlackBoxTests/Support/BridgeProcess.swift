import Foundation
import Glibc
import Serial
import Testing
import Transport

/// `readerctl bridge`, which has said that it is ready.
struct BridgeProcess {
    let running: RunningProgram
    /// HOST:PORT, or empty.
    let address: String

    /// A line that sends back what it is sent, on any port.
    static let loopback = ["--simulate", "visa-credit", "--simulate-reader", "loop-back", "--tcp", "127.0.0.1:0"]

    /// - Parameter bus: what it sees instead of this machine's devices.
    init(_ options: [String], on bus: MockReader? = nil) async throws {
        var program = readerctl(["bridge", "--json"] + options)
        program.limit = 240
        if let bus { program = bus.seen(by: program) }
        running = try Workbench.mine().start(program)
        guard let ready = await running.line(),
            let document = try JSONSerialization.jsonObject(with: Data(ready.utf8)) as? [String: Any],
            document["ready"] as? Bool == true
        else { throw EndedEarly(title: program.title, ended: await running.end()) }
        address = document["tcp"] as? String ?? ""
    }

    /// Waits until it has said so on standard error.
    func says(_ words: String, _ times: Int = 1) async throws {
        let clock = SystemMonotonicClock.shared
        let deadline = Deadline.after(.seconds(60), on: clock)
        while String(decoding: running.written, as: UTF8.self).components(separatedBy: words).count <= times {
            try #require(!deadline.hasPassed(on: clock), "it does not say '\(words)'")
            await clock.sleep(until: clock.now().advanced(by: .milliseconds(5)))
        }
    }

    /// Ctrl-C.
    func interrupt() async -> Ended {
        running.send(SIGINT)
        return await running.end()
    }
}

/// A reader that can be pulled out and put back: a pseudo terminal of the test's, under a name that stays.
struct PluggedReader {
    let context = SerialContext()
    let path: String

    init() throws {
        path = try Workbench.mine().path("reader")
    }

    func putIn() throws -> PseudoTerminal {
        let terminal = try context.makeTerminal()
        _ = try TerminalLink(at: path, to: terminal.node)
        return terminal
    }

    func pullOut(_ terminal: PseudoTerminal) async {
        unlink(path)
        await terminal.close()
    }
}

func bridgePattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}

/// Sends bytes while it receives, and expects them back.
func expectEcho(on line: any Transport, count: Int, _ location: SourceLocation = #_sourceLocation) async throws {
    let bytes = bridgePattern(count)
    let deadline = Deadline.after(.seconds(90), on: SystemMonotonicClock.shared)
    async let sent: Void = line.send(bytes, until: deadline)
    let back = try await line.receive(exactly: count, until: deadline)
    try await sent
    #expect(back == bytes, sourceLocation: location)
}
