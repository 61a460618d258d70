import Foundation
import Glibc
import Serial
import Testing
import Transport

/// `readerctl bridge` is judged by programs that others wrote: pyserial and socat.
@Suite(.blackBox) struct BridgeJudgeTests {
    private var soon: Deadline { .after(.seconds(60), on: SystemMonotonicClock.shared) }

    private func judge(_ script: String, _ arguments: String...) throws -> RunningProgram {
        var program = Program(
            Prerequisites.judgesPython, [Prerequisites.checkout + "/Tests/Judges/" + script] + arguments)
        program.inputFile = nil
        program.limit = 180
        return try Workbench.mine().start(program)
    }

    @Test(
        "pyserial by RFC 2217: settings, modem lines, break, purge, 1 MiB there and back",
        .enabled(if: Prerequisites.pyserial == nil, "\(Prerequisites.pyserial ?? "")"),
        arguments: ["settings", "lines", "echo"])
    func rfc2217(action: String) async throws {
        let bridge = try await BridgeProcess(BridgeProcess.loopback + ["--rfc2217"])
        let ended = try await judge("rfc2217.py", action, "rfc2217://\(bridge.address)").end()
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.output == "ok\n")
        let closed = await bridge.interrupt()
        #expect(closed.status == 0)
        #expect(closed.errors.contains("The program has left."))
    }

    @Test(
        "pyserial by RFC 2217 on a tty: its speed is the tty's, and 1 MiB comes back over it",
        .enabled(if: Prerequisites.pyserial == nil, "\(Prerequisites.pyserial ?? "")"))
    func rfc2217OnTTY() async throws {
        let plug = try PluggedReader()
        let reader = try plug.putIn()
        let bridge = try await BridgeProcess(["--reader", plug.path, "--tcp", "127.0.0.1:0", "--rfc2217"])
        let echoing = Task {
            while let bytes = try? await reader.receive(atMost: 4096, until: soon) {
                try await reader.send(bytes, until: soon)
            }
        }
        let ended = try await judge("rfc2217.py", "echo", "rfc2217://\(bridge.address)").end()
        #expect(ended.output == "ok\n", "\(ended)")
        // The bridge was started with 115200.
        #expect(try await reader.settings(until: soon).baud == .b9600)
        #expect(await bridge.interrupt().status == 0)
        await plug.context.shutdown()
        _ = await echoing.result
    }

    @Test(
        "pyserial as an echo client on the link goes on over four unpluggings; 256 KiB each time",
        .enabled(if: Prerequisites.pyserial == nil, "\(Prerequisites.pyserial ?? "")"))
    func echoOverReplug() async throws {
        let plug = try PluggedReader()
        var reader = try plug.putIn()
        let link = try Workbench.mine().path("link")
        let bridge = try await BridgeProcess(["--reader", plug.path, "--pty", link])
        let client = try judge("serialport.py", "echo", link)
        #expect(await client.line() == "open")
        for round in 1...4 {
            try await expectEcho(on: reader, count: 1 << 18)
            await plug.pullOut(reader)
            try await bridge.says("The reader has left.", round)
            reader = try plug.putIn()
            try await bridge.says("The reader is back.", round)
        }
        try await expectEcho(on: reader, count: 1 << 20)
        #expect(await bridge.interrupt().status == 0)
        #expect(await client.line() == "hung up")
        await plug.context.shutdown()
    }

    @Test(
        "socat as an echo client, on the link and on the port: 1 MiB there and back",
        .enabled(if: Prerequisites.socat == nil, "\(Prerequisites.socat ?? "")"), arguments: [true, false])
    func socat(isTerminal: Bool) async throws {
        let plug = try PluggedReader()
        let reader = try plug.putIn()
        let link = try Workbench.mine().path("link")
        let offer = isTerminal ? ["--pty", link] : ["--tcp", "127.0.0.1:0"]
        let bridge = try await BridgeProcess(["--reader", plug.path] + offer)
        let address = isTerminal ? "\(link),raw,echo=0" : "TCP:\(bridge.address)"
        let client = try Workbench.mine().start(Program("socat", [address, "EXEC:cat"]))
        try await bridge.says("A program has connected.")
        try await expectEcho(on: reader, count: 1 << 20)
        client.send(SIGTERM)
        _ = await client.end()
        try await bridge.says("The program has left.")
        #expect(await bridge.interrupt().status == 0)
        await plug.context.shutdown()
    }

    @Test(
        "a second client gets one sentence and is sent away, also by RFC 2217",
        .enabled(if: Prerequisites.socat == nil, "\(Prerequisites.socat ?? "")"), arguments: [[], ["--rfc2217"]])
    func secondClient(more: [String]) async throws {
        let bridge = try await BridgeProcess(BridgeProcess.loopback + more)
        var first = Program("socat", ["-u", "TCP:\(bridge.address)", "STDOUT"])
        first.inputFile = nil
        let client = try Workbench.mine().start(first)
        try await bridge.says("A program has connected.")
        let second = try await run(Program("socat", ["-u", "TCP:\(bridge.address)", "STDOUT"]))
        #expect(second.status == 0)
        #expect(
            second.output
                == "readerctl bridge: another program is using this reader. One at a time: try again later.\r\n")
        try await bridge.says("A second program was refused: one at a time.")
        client.send(SIGTERM)
        _ = await client.end()
        #expect(await bridge.interrupt().status == 0)
    }
}
