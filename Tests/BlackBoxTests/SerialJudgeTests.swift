import Foundation
import Serial
import Testing
import Transport

/// Our ports and pseudo terminals are judged by programs that others wrote: pyserial and socat.
@Suite(.blackBox) struct SerialJudgeTests {
    private static let settings = SerialSettings(baud: .b115200)
    private var soon: Deadline { .after(.seconds(60), on: SystemMonotonicClock.shared) }

    private func pyserial(_ arguments: String...) throws -> RunningProgram {
        var program = Program(
            Prerequisites.judgesPython, [Prerequisites.checkout + "/Tests/Judges/serialport.py"] + arguments)
        program.inputFile = nil
        return try Workbench.mine().start(program)
    }

    private func withTerminal(_ body: (SerialContext, PseudoTerminal) async throws -> Void) async throws {
        let context = SerialContext()
        let terminal = try context.makeTerminal()
        do {
            try await body(context, terminal)
        } catch {
            await context.shutdown()
            throw error
        }
        await context.shutdown()
    }

    @Test(
        "what pyserial sets is what we see",
        .enabled(if: Prerequisites.pyserial == nil, "\(Prerequisites.pyserial ?? "")"),
        arguments: [1200, 9600, 57_600, 115_200, 921_600, 250_000, 31_250] as [UInt32])
    func settings(speed: UInt32) async throws {
        try await withTerminal { _, terminal in
            let judge = try pyserial("open", terminal.node, "\(speed)", "E", "rtscts")
            #expect(await judge.line() == "open")
            let seen = try await terminal.settings(until: soon)
            // A pseudo terminal keeps no parity; the rest of it is there.
            #expect(seen == SerialSettings(baud: try #require(BaudRate(speed)), flow: .rtscts))
            try await terminal.waitForClient(until: soon)
            judge.closeInput()
            _ = await judge.end()
            try await terminal.waitForClient(isThere: false, until: soon)
        }
    }

    @Test(
        "exclusive to pyserial is exclusive to us, and the other way round",
        .enabled(if: Prerequisites.pyserial == nil, "\(Prerequisites.pyserial ?? "")"))
    func exclusive() async throws {
        try await withTerminal { context, terminal in
            let judge = try pyserial("exclusive", terminal.node)
            #expect(await judge.line() == "open")
            do throws(TransportError) {
                _ = try await context.open(terminal.node, Self.settings, until: soon)
                Issue.record("opened a port that pyserial holds")
            } catch {
                #expect(error.code == .busy)
                #expect(error.underlying?.contains("(process \(judge.processId))") == true, "\(error)")
            }
            judge.closeInput()
            _ = await judge.end()
            let port = try await context.open(terminal.node, Self.settings, until: soon)
            let second = try pyserial("exclusive", terminal.node)
            #expect(await second.end().output == "busy\n")
            await port.close()
        }
    }

    @Test(
        "256 KiB to pyserial and back, byte for byte; it sees the hang-up",
        .enabled(if: Prerequisites.pyserial == nil, "\(Prerequisites.pyserial ?? "")"))
    func echo() async throws {
        try await withTerminal { _, terminal in
            let judge = try pyserial("echo", terminal.node)
            #expect(await judge.line() == "open")
            try await expectEcho(on: terminal, count: 1 << 18)
            await terminal.close()
            #expect(await judge.line() == "hung up")
        }
    }

    @Test(
        "1 MiB through socat and back, with a port on each side",
        .enabled(if: Prerequisites.socat == nil, "\(Prerequisites.socat ?? "")"))
    func socat() async throws {
        // socat's two terminals: what comes on the one goes out on the other.
        let (near, far) = (try Workbench.mine().path("near"), try Workbench.mine().path("far"))
        let socat = try Workbench.mine().start(
            Program("socat", ["pty,raw,echo=0,link=\(near)", "pty,raw,echo=0,link=\(far)"]))
        let deadline = soon
        let clock = SystemMonotonicClock.shared
        while !FileManager.default.fileExists(atPath: far) || !FileManager.default.fileExists(atPath: near),
            !deadline.hasPassed(on: clock)
        {
            await clock.sleep(until: clock.now().advanced(by: .milliseconds(5)))
        }
        let context = SerialContext()
        let one = try await context.open(near, Self.settings, until: soon)
        let other = try await context.open(far, Self.settings, until: soon)
        let echoing = Task {
            while let bytes = try? await other.receive(atMost: 4096, until: soon) {
                try await other.send(bytes, until: soon)
            }
        }
        try await expectEcho(on: one, count: 1 << 20)
        socat.send(SIGTERM)
        _ = await socat.end()
        do throws(TransportError) {
            _ = try await one.receive(atMost: 1, until: soon)
            Issue.record("bytes from nowhere")
        } catch {
            #expect(error.code == .gone)
        }
        _ = await echoing.result
        await context.shutdown()
    }

    private func expectEcho(on line: any Transport, count: Int) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let deadline = soon
        async let sent: Void = line.send(bytes, until: deadline)
        let back = try await line.receive(exactly: count, until: deadline)
        try await sent
        #expect(back == bytes)
    }
}
