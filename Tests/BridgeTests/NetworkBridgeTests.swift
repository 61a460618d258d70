import Bridge
import NetworkTransport
import Serial
import Testing
import Transport

/// A line that is made anew each time.
struct LoopbackSource: LineSource {
    let title = "loop-back"

    func open(
        _ settings: SerialSettings, on context: SerialContext, until deadline: Deadline
    ) async throws(TransportError) -> any SerialLine {
        LoopbackLine(settings, clock: SystemMonotonicClock.shared)
    }
}

@Suite("A bridge to a TCP port", .timeLimit(.minutes(2)))
struct NetworkBridgeTests {
    private static let settings = SerialSettings(baud: .b115200)

    private func with(_ body: (PseudoTerminal, NetworkLoop, Told, Plug) async throws -> Void) async throws {
        let plug = try Plug()
        let reader = try plug.putIn()
        let endpoint = try #require(Endpoint(host: "127.0.0.1", port: 0))
        let loop = try NetworkLoop(named: "test", clock: SystemMonotonicClock.shared)
        let options = BridgeOptions(offer: .tcp(endpoint), settings: Self.settings)
        do {
            try await withBridge(options, TTYLineSource(path: plug.path)) { told in
                try await body(reader, loop, told, plug)
            }
        } catch {
            loop.stop()
            await plug.end()
            throw error
        }
        loop.stop()
        await plug.end()
    }

    @Test("1 MiB both ways at the same time, byte for byte")
    func bothWays() async throws {
        try await with { reader, loop, told, _ in
            let client = try await loop.connect(to: told.endpoint, until: soon)
            try await told.event(.clientCame)
            let bytes = pattern(1 << 20)
            let deadline = soon
            async let up: Void = client.send(bytes, until: deadline)
            async let down: Void = reader.send(bytes.reversed(), until: deadline)
            async let arrived = reader.receive(exactly: bytes.count, until: deadline)
            #expect(try await client.receive(exactly: bytes.count) == bytes.reversed())
            #expect(try await arrived == bytes)
            _ = try await (up, down)
        }
    }

    @Test("the second client is told why it has to go; when the first has left, there is room")
    func oneAtATime() async throws {
        try await with { reader, loop, told, _ in
            let first = try await loop.connect(to: told.endpoint, until: soon)
            try await told.event(.clientCame)
            let second = try await loop.connect(to: told.endpoint, until: soon)
            // It may have spoken already.
            try? await second.send([1, 2, 3], until: soon)
            var sentence: [UInt8] = []
            while let bytes = try? await second.receive(until: soon) { sentence += bytes }
            #expect(
                String(decoding: sentence, as: UTF8.self)
                    == "readerctl bridge: another program is using this reader. One at a time: try again later.\r\n")
            try await told.event(.clientRefused)
            try await first.send([5], until: soon)
            #expect(try await reader.receive(exactly: 1, until: soon) == [5])
            await first.close()
            try await told.event(.clientLeft)
            let third = try await loop.connect(to: told.endpoint, until: soon)
            try await third.send([6], until: soon)
            #expect(try await reader.receive(exactly: 1, until: soon) == [6])
            try await reader.send([7], until: soon)
            #expect(try await third.receive(exactly: 1) == [7])
        }
    }

    @Test("what a client says with its first breath is heard: 100 clients")
    func firstBytes() async throws {
        try await with { reader, loop, told, _ in
            for number in 1...100 {
                let client = try await loop.connect(to: told.endpoint, until: soon)
                try await client.send([UInt8(number), 1], until: soon)
                try await client.send([2], until: soon)
                #expect(try await reader.receive(exactly: 3, until: soon) == [UInt8(number), 1, 2])
                await client.close()
                try await told.event(.clientLeft, number)
            }
        }
    }

    @Test("a client that does not read holds back its own reader only")
    func slowClient() async throws {
        try await with { reader, loop, told, plug in
            let client = try await loop.connect(to: told.endpoint, until: soon)
            try await told.event(.clientCame)
            // More than the sockets, the terminals and our own connection can hold.
            let bytes = pattern(16 << 20)
            let sending = Task { try await reader.send(bytes, until: soon) }
            await SystemMonotonicClock.shared.sleep(until: after(300).instant)
            // The way back is free, and so is the loop.
            try await client.send([3], until: soon)
            #expect(try await reader.receive(exactly: 1, until: soon) == [3])
            #expect(try await client.receive(exactly: bytes.count) == bytes)
            try await sending.value
        }
    }

    @Test("the reader is pulled out and put back: the connection lives")
    func replug() async throws {
        try await with { reader, loop, told, plug in
            let client = try await loop.connect(to: told.endpoint, until: soon)
            try await told.event(.clientCame)
            await plug.pullOut(reader)
            try await told.event(.readerLeft)
            try await client.send([1], until: soon)
            let back = try plug.putIn()
            #expect(try await back.receive(exactly: 1, until: soon) == [1])
            try await back.send([2], until: soon)
            #expect(try await client.receive(exactly: 1) == [2])
        }
    }

    @Test("a line that is no descriptor: 1 MiB there and back")
    func otherLine() async throws {
        let endpoint = try #require(Endpoint(host: "127.0.0.1", port: 0))
        let loop = try NetworkLoop(named: "test", clock: SystemMonotonicClock.shared)
        defer { loop.stop() }
        try await withBridge(BridgeOptions(offer: .tcp(endpoint), settings: Self.settings), LoopbackSource()) { told in
            let client = try await loop.connect(to: told.endpoint, until: soon)
            let bytes = pattern(1 << 20)
            async let sent: Void = client.send(bytes, until: soon)
            #expect(try await client.receive(exactly: bytes.count) == bytes)
            try await sent
        }
    }

    @Test("a port that is taken: told")
    func taken() async throws {
        try await with { _, _, told, plug in
            let options = BridgeOptions(offer: .tcp(try await told.endpoint), settings: Self.settings)
            await #expect {
                try await SerialBridge(options, source: LoopbackSource(), clock: SystemMonotonicClock.shared) { _ in }
                    .run()
            } throws: { error in
                if case .network(let error) = error as? BridgeError { error.code == .unavailable } else { false }
            }
        }
    }
}
