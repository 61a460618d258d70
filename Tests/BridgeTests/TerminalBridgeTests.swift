import Bridge
import Glibc
import Serial
import Testing
import Transport

@Suite("A bridge to a pseudo terminal", .timeLimit(.minutes(2)))
struct TerminalBridgeTests {
    private static let settings = SerialSettings(baud: .b115200)

    private func with(
        holdTime: Duration = .seconds(1), _ body: (Plug, PseudoTerminal, SerialPort, Told) async throws -> Void
    ) async throws {
        let plug = try Plug()
        let reader = try plug.putIn()
        let options = BridgeOptions(
            offer: .terminal(link: plug.linkPath), settings: Self.settings, holdTime: holdTime)
        do {
            try await withBridge(options, TTYLineSource(path: plug.path)) { told in
                #expect(NodeName.resolved(plug.linkPath) == (try await told.node))
                let client = try await plug.context.open(plug.linkPath, Self.settings, until: soon)
                try await told.event(.clientCame)
                try await body(plug, reader, client, told)
            }
            #expect(access(plug.linkPath, F_OK) != 0, "the link is removed")
        } catch {
            await plug.end()
            throw error
        }
        await plug.end()
    }

    @Test("1 MiB both ways at the same time, byte for byte")
    func bothWays() async throws {
        try await with { _, reader, client, _ in
            let bytes = pattern(1 << 20)
            let deadline = soon
            async let up: Void = client.send(bytes, until: deadline)
            async let down: Void = reader.send(bytes.reversed(), until: deadline)
            async let arrived = reader.receive(exactly: bytes.count, until: deadline)
            let came = try await client.receive(exactly: bytes.count, until: deadline)
            #expect(came == bytes.reversed())
            #expect(try await arrived == bytes)
            _ = try await (up, down)
        }
    }

    @Test("the reader is pulled out and put back five times: the client's terminal lives")
    func replug() async throws {
        try await with { plug, first, client, told in
            var reader = first
            for round in 1...5 {
                await plug.pullOut(reader)
                try await told.event(.readerLeft, round)
                reader = try plug.putIn()
                try await told.event(.readerBack, round)
                try await client.send([UInt8(round), 255, 0], until: soon)
                #expect(try await reader.receive(exactly: 3, until: soon) == [UInt8(round), 255, 0])
                try await reader.send([9, UInt8(round)], until: soon)
                #expect(try await client.receive(exactly: 2, until: soon) == [9, UInt8(round)])
            }
        }
    }

    @Test("what a client says while the reader is away is held for a while and then goes to it")
    func held() async throws {
        try await with(holdTime: .seconds(30)) { plug, reader, client, told in
            await plug.pullOut(reader)
            try await told.event(.readerLeft)
            // More than is held: the rest waits in the client's terminal.
            let bytes = pattern(ByteRelay.holdLimit * 2)
            let sending = Task { try await client.send(bytes, until: soon) }
            let back = try plug.putIn()
            #expect(try await back.receive(exactly: bytes.count, until: soon) == bytes)
            try await sending.value
            #expect(!told.all.contains { if case .discarded = $0 { true } else { false } })
        }
    }

    @Test("after that it is thrown away, which is told with its size, and the client is not held up")
    func discarded() async throws {
        try await with(holdTime: .milliseconds(20)) { plug, reader, client, told in
            await plug.pullOut(reader)
            try await told.event(.readerLeft)
            try await client.send(pattern(100_000), until: soon)
            try await client.drain(until: soon)
            await SystemMonotonicClock.shared.sleep(until: after(100).instant)
            let back = try plug.putIn()
            try await told.event(.readerBack)
            #expect(try await told.event { if case .discarded(let count) = $0 { count } else { nil } } == 100_000)
            try await client.send([1, 2], until: soon)
            #expect(try await back.receive(atMost: 100, until: soon) == [1, 2])
        }
    }

    @Test("what the reader says while no program is there is not kept for the next one")
    func noClient() async throws {
        try await with { plug, reader, client, told in
            await client.close()
            try await told.event(.clientLeft)
            try await reader.send([UInt8](repeating: 1, count: 400_000), until: soon)
            let next = try await plug.context.open(plug.linkPath, Self.settings, until: soon)
            try await told.event(.clientCame, 2)
            try await reader.send([7], until: soon)
            // What the kernel still had of it when the program came (64 KiB and a little) may reach it.
            var heard: [UInt8] = []
            while heard.last != 7 { heard += try await next.receive(atMost: 4096, until: soon) }
            #expect(heard.count < 200_000)
            try await next.send([8], until: soon)
            #expect(try await reader.receive(exactly: 1, until: soon) == [8])
        }
    }

    @Test("a client that does not read holds the reader back, and loses nothing when it reads on")
    func slowClient() async throws {
        try await with { _, reader, client, _ in
            let bytes = pattern(4 << 20)
            // `client` reads ahead 64 KiB and the kernel keeps a little; the rest has to wait.
            var held: TransportError?
            do throws(TransportError) {
                try await reader.send(bytes, until: after(1000))
            } catch { held = error }
            #expect(held?.code == .timedOut)
            // "N of M bytes were sent"
            let sent = try #require(held?.underlying?.split(separator: " ").first.flatMap { Int($0) })
            #expect(sent < 1 << 20)
            // The other direction is not held up.
            try await client.send([3], until: soon)
            #expect(try await reader.receive(exactly: 1, until: soon) == [3])
            #expect(try await client.receive(exactly: sent, until: soon) == Array(bytes[..<sent]))
            try await reader.send([4], until: soon)
            #expect(try await client.receive(exactly: 1, until: soon) == [4])
        }
    }

    @Test("no reader at the start, a link that is somebody else's: told, and nothing is left behind")
    func cannotBegin() async throws {
        let plug = try Plug()
        let options = BridgeOptions(offer: .terminal(link: plug.linkPath), settings: Self.settings)
        let clock = SystemMonotonicClock.shared
        await #expect {
            try await SerialBridge(options, source: TTYLineSource(path: plug.path), clock: clock) { _ in }.run()
        } throws: { error in
            if case .line(let error) = error as? BridgeError { error.code == .gone } else { false }
        }
        _ = try plug.putIn()
        close(open(plug.linkPath, O_CREAT | O_WRONLY, 0o600))
        await #expect {
            try await SerialBridge(options, source: TTYLineSource(path: plug.path), clock: clock) { _ in }.run()
        } throws: { error in
            if case .terminal(let error) = error as? BridgeError { error.code == .busy } else { false }
        }
        await plug.end()
    }
}
