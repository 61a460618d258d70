import Foundation
import Glibc
import Serial
import Testing
import Transport

/// `readerctl bridge` as a process: what it says, how it ends, and what is left behind.
@Suite(.blackBox) struct BridgeTests {
    private static let settings = SerialSettings(baud: .b115200)
    private var soon: Deadline { .after(.seconds(60), on: SystemMonotonicClock.shared) }

    @Test("a link to a serial port: bytes pass, Ctrl-C removes it and is exit 0")
    func terminal() async throws {
        let plug = try PluggedReader()
        let reader = try plug.putIn()
        let link = try Workbench.mine().path("link")
        let bridge = try await BridgeProcess(["--reader", plug.path, "--pty", link, "--baud", "57600"])
        #expect(try await reader.settings(until: soon).baud == .b57600)
        let client = try await plug.context.open(link, Self.settings, until: soon)
        try await client.send([1, 255, 0], until: soon)
        #expect(try await reader.receive(exactly: 3, until: soon) == [1, 255, 0])
        try await reader.send([2, 17, 19], until: soon)
        #expect(try await client.receive(exactly: 3, until: soon) == [2, 17, 19])
        let ended = await bridge.interrupt()
        #expect(ended.status == 0, "\(ended)")
        #expect(access(link, F_OK) != 0)
        await plug.context.shutdown()
    }

    @Test("one line of JSON when it is ready, with the keys of the contract")
    func readyLine() async throws {
        let bridge = try await BridgeProcess(BridgeProcess.loopback + ["--rfc2217"])
        let ended = await bridge.interrupt()
        #expect(ended.status == 0)
        let lines = ended.output.split(separator: "\n")
        #expect(lines.count == 1)
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(document["ready"] as? Bool == true)
        #expect(document["pty"] is NSNull)
        #expect((document["tcp"] as? String)?.hasPrefix("127.0.0.1:") == true)
    }

    @Test("a simulated reader answers a program that knows nothing of us: a ping of an ID TECH reader")
    func simulatedReader() async throws {
        let link = try Workbench.mine().path("link")
        let bridge = try await BridgeProcess(["--simulate", "visa-credit", "--pty", link])
        let context = SerialContext()
        let client = try await context.open(link, Self.settings, until: soon)
        // Ping, and its answer: the vendor's documents, as in NEO2FrameTests.
        let header = Array("ViVOtech2\0".utf8)
        try await client.send(header + [0x18, 0x01, 0x00, 0x00, 0xB3, 0xCD], until: soon)
        #expect(try await client.receive(exactly: 16, until: soon) == header + [0x18, 0x00, 0x00, 0x00, 0xFA, 0x83])
        #expect(await bridge.interrupt().status == 0)
        await context.shutdown()
    }

    @Test("the reader leaves and comes back: told, and the client's port lives; what was said too late is told")
    func replug() async throws {
        let plug = try PluggedReader()
        var reader = try plug.putIn()
        let link = try Workbench.mine().path("link")
        let bridge = try await BridgeProcess(["--reader", plug.path, "--pty", link])
        let client = try await plug.context.open(link, Self.settings, until: soon)
        try await bridge.says("A program has connected.")
        await plug.pullOut(reader)
        try await bridge.says("The reader has left. Waiting for it at \(plug.path).")
        reader = try plug.putIn()
        try await bridge.says("The reader is back.")
        try await client.send([5], until: soon)
        #expect(try await reader.receive(exactly: 1, until: soon) == [5])
        await plug.pullOut(reader)
        try await bridge.says("The reader has left.", 2)
        try await client.send([6, 7], until: soon)
        let clock = SystemMonotonicClock.shared
        await clock.sleep(until: clock.now().advanced(by: .milliseconds(1500)))
        reader = try plug.putIn()
        try await bridge.says("2 bytes for the reader were thrown away while it was not there.")
        try await client.send([8], until: soon)
        #expect(try await reader.receive(exactly: 1, until: soon) == [8])
        #expect(await bridge.interrupt().status == 0)
        await plug.context.shutdown()
    }

    @Test("a link of an earlier run that was killed is replaced")
    func leftover() async throws {
        let plug = try PluggedReader()
        let reader = try plug.putIn()
        let link = try Workbench.mine().path("link")
        let killed = try await BridgeProcess(["--reader", plug.path, "--pty", link])
        killed.running.send(SIGKILL)
        _ = await killed.running.end()
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil)
        let bridge = try await BridgeProcess(["--reader", plug.path, "--pty", link])
        let client = try await plug.context.open(link, Self.settings, until: soon)
        try await client.send([1], until: soon)
        #expect(try await reader.receive(exactly: 1, until: soon) == [1])
        #expect(await bridge.interrupt().status == 0)
        await plug.context.shutdown()
    }

    @Test("a reader that another program has: exit 4, with its name; none: exit 3")
    func cannotBegin() async throws {
        let plug = try PluggedReader()
        let link = try Workbench.mine().path("link")
        let none = try await run("bridge", "--reader", plug.path, "--pty", link)
        #expect(none.status == 3)
        #expect(none.errors.hasPrefix("There is no reader at \(plug.path)."))
        _ = try plug.putIn()
        let port = try await plug.context.open(plug.path, Self.settings, until: soon)
        let held = try await run("bridge", "--reader", plug.path, "--pty", link)
        #expect(held.status == 4)
        #expect(held.errors.contains("(process \(getpid())): end it and try again"))
        #expect(access(link, F_OK) != 0)
        await port.close()
        // Something else is where the link should be.
        try Data().write(to: URL(fileURLWithPath: link))
        let taken = try await run("bridge", "--reader", plug.path, "--pty", link)
        #expect(taken.status == 2)
        #expect(taken.errors.contains("choose another path, or remove it"))
        await plug.context.shutdown()
    }

    @Test(
        "what makes no sense is refused before anything is opened: exit 2",
        arguments: [
            [], ["--pty", "/tmp/x", "--tcp", "127.0.0.1:0"], ["--pty", "/tmp/x", "--rfc2217"], ["--tcp", "nowhere"],
            ["--tcp", "0.0.0.0:0"], ["--tcp", "[::]:0"], ["--tcp", "127.0.0.1:0", "--baud", "0"],
            ["--tcp", "127.0.0.1:0", "--baud", "fast"], ["--tcp", "127.0.0.1:0", "--parity", "strange"],
            ["--tcp", "127.0.0.1:0", "--simulate", "visa-credit", "--port", "1-1"],
            ["--tcp", "127.0.0.1:0", "--simulate", "no-such-card"],
        ] as [[String]])
    func usage(options: [String]) async throws {
        let ended = try await run(readerctl(["bridge"] + options))
        #expect(ended.status == 2, "\(ended)")
        #expect(ended.output == "")
        #expect(ended.errors.contains("Usage: readerctl bridge"))
    }
}
