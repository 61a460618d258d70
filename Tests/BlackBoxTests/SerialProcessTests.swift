import Foundation
import Glibc
import Serial
import Testing
import Transport

/// A port that two programs want, and deadlines under a shifted clock.
@Suite(.blackBox) struct SerialProcessTests {
    private static let settings = SerialSettings(baud: .b115200)
    private var soon: Deadline { .after(.seconds(60), on: SystemMonotonicClock.shared) }

    /// A pseudo terminal, whose other side is the port.
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

    private func refusal(_ context: SerialContext, _ path: String) async throws -> TransportError? {
        do throws(TransportError) {
            let port = try await context.open(path, Self.settings, until: soon)
            await port.close()
            return nil
        } catch {
            return error
        }
    }

    private func holding(_ path: String) throws -> RunningProgram {
        var program = Program(Prerequisites.product("linecheck"), ["hold", path])
        program.inputFile = nil
        return try Workbench.mine().start(program)
    }

    @Test("the second program is told who has the port, and gets it when the first has ended")
    func contention() async throws {
        try await withTerminal { context, terminal in
            let first = try holding(terminal.node)
            #expect(await first.line() == "open \(terminal.node) 0")
            let error = try await refusal(context, terminal.node)
            #expect(error?.code == .busy)
            #expect(
                error?.underlying
                    == "\(terminal.node) is held by linecheck (process \(first.processId)): end it and try again")
            first.closeInput()
            #expect(await first.end().status == 0)
            #expect(try await refusal(context, terminal.node) == nil)
        }
    }

    @Test("a program that was killed leaves nothing that keeps others out")
    func killed() async throws {
        try await withTerminal { context, terminal in
            let first = try holding(terminal.node)
            #expect(await first.line()?.hasPrefix("open") == true)
            first.send(SIGKILL)
            _ = await first.end()
            #expect(try await refusal(context, terminal.node) == nil)
        }
    }

    @Test("the other program is refused as well, with our name")
    func otherWay() async throws {
        try await withTerminal { context, terminal in
            let port = try await context.open(terminal.node, Self.settings, until: soon)
            let second = try await holding(terminal.node).end()
            #expect(second.status == 1)
            #expect(second.output.hasPrefix("open: busy (\(terminal.node) is held by "))
            #expect(second.output.contains("(process \(getpid()))"))
            await port.close()
        }
    }

    @Test("opened twice by one program: it is told that it has it itself")
    func twice() async throws {
        try await withTerminal { context, terminal in
            let port = try await context.open(terminal.node, Self.settings, until: soon)
            let error = try await refusal(context, terminal.node)
            #expect(error?.code == .busy)
            #expect(error?.underlying == "\(terminal.node) is open in this program already: close it first")
            await port.close()
            #expect(try await refusal(context, terminal.node) == nil)
        }
    }

    @Test("a link is as good as the node, for the lock as well")
    func byLink() async throws {
        try await withTerminal { context, terminal in
            let link = try Workbench.mine().path("reader")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: terminal.node)
            let port = try await context.open(link, Self.settings, until: soon)
            #expect(port.node == terminal.node)
            #expect(try await refusal(context, terminal.node)?.code == .busy)
            await port.close()
        }
    }

    @Test(
        "deadlines end when they should, however the clock of the wall is shifted",
        .enabled(if: Prerequisites.faketimeLibrary != nil, "skipped: libfaketime not found"),
        arguments: ["+400d", "-400d"])
    func shiftedClock(shift: String) async throws {
        let library = try #require(Prerequisites.faketimeLibrary)
        let check = Program(Prerequisites.product("linecheck"), ["deadlines"]).shifted(shift, by: library)
        let running = try Workbench.mine().start(check)
        let ended = await running.end()
        running.removeSharedClock()
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.output == "timedOut timedOut timedOut timedOut\n")
        #expect(!ended.wasKilled)
    }

    @Test("waiting costs no processor time, whatever is waited for")
    func idle() async throws {
        let ended = try await Workbench.mine().run(Program(Prerequisites.product("linecheck"), ["idle"]))
        // A wait that spins would cost a second of it.
        #expect(try #require(Double(ended.output.dropLast())) < 200)
        #expect(ended.status == 0)
    }
}
