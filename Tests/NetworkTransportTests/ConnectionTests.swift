import NetworkTransport
import Testing
import Transport

@Suite struct ConnectionTests {
    @Test("bytes go both ways, in order and complete, however many")
    func bothWays() async throws {
        let bed = try Bed()
        let (client, server) = try await bed.pair()
        let large = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        async let sent: Void = client.send(large, until: bed.soon())
        #expect(try await server.receive(large.count, until: bed.soon()) == large)
        try await sent
        try await server.send([1, 2, 3], until: bed.soon())
        #expect(try await client.receive(3, until: bed.soon()) == [1, 2, 3])
        await client.close()
        await server.close()
    }

    @Test("the other side's close ends a receive, and what had come before is still received")
    func otherSideCloses() async throws {
        let bed = try Bed()
        let (client, server) = try await bed.pair()
        try await server.send([7], until: bed.soon())
        await server.close()
        #expect(try await client.receive(1, until: bed.soon()) == [7])
        let error = await #expect(throws: NetworkError.self) { _ = try await client.receive(until: bed.soon()) }
        #expect(error?.code == .closed)
        let refused = await #expect(throws: NetworkError.self) { try await client.send([1], until: bed.soon()) }
        #expect(refused?.code == .closed)
        #expect(refused?.mayHaveLeft == false)
    }

    @Test("closing ends this side's own waits")
    func closes() async throws {
        let bed = try Bed()
        let (client, server) = try await bed.pair()
        let waiting = Task { try await client.receive(until: nil) }
        await client.close()
        await client.close()
        let error = await #expect(throws: NetworkError.self) { _ = try await waiting.value }
        #expect(error?.code == .closed)
        await server.close()
    }

    @Test("a deadline ends a receive, and bytes that come later are not lost")
    func deadline() async throws {
        let bed = try Bed()
        let (client, server) = try await bed.pair()
        let error = await #expect(throws: NetworkError.self) {
            _ = try await client.receive(until: .after(.milliseconds(20), on: bed.clock))
        }
        #expect(error?.code == .timedOut)
        try await server.send([9], until: bed.soon())
        #expect(try await client.receive(1, until: bed.soon()) == [9])
    }

    @Test("cancel ends a receive; a send that was cancelled before it began has left nothing")
    func cancel() async throws {
        let bed = try Bed()
        let (client, server) = try await bed.pair()
        let receiving = Task { try await client.receive(until: nil) }
        receiving.cancel()
        let error = await #expect(throws: NetworkError.self) { _ = try await receiving.value }
        #expect(error?.code == .cancelled)
        let sending = Task {
            while !Task.isCancelled { await Task.yield() }
            try await client.send([1], until: bed.soon())
        }
        sending.cancel()
        let unsent = await #expect(throws: NetworkError.self) { try await sending.value }
        #expect(unsent?.code == .cancelled)
        #expect(unsent?.mayHaveLeft == false)
        await server.close()
    }

    @Test("when the other side does not read, a send ends at its deadline: begun means it may have left")
    func stuck() async throws {
        let bed = try Bed()
        let (client, server) = try await bed.pair()
        let soon = Deadline.after(.milliseconds(300), on: bed.clock)
        let large = [UInt8](repeating: 0, count: 32 << 20)
        let first = Task { try await client.send(large, until: soon) }
        let begun = await #expect(throws: NetworkError.self) { try await first.value }
        #expect(begun?.code == .timedOut)
        #expect(begun?.mayHaveLeft == true)
        let behind = await #expect(throws: NetworkError.self) {
            try await client.send([1], until: .after(.milliseconds(20), on: bed.clock))
        }
        #expect(behind?.mayHaveLeft == false)
        await client.close()
        await server.close()
    }

    @Test("nobody listening, and names without address, are told apart")
    func unreachable() async throws {
        let bed = try Bed()
        let closed = try bed.listen()
        let other = try Bed()
        let refused = await #expect(throws: NetworkError.self) {
            // A port that was free a moment ago.
            let listener = try other.loop.listen(on: try #require(Endpoint("127.0.0.1:0"))) { _ in }
            listener.stop()
            other.loop.stop()
            _ = try await bed.loop.connect(to: Endpoint(host: "127.0.0.1", port: 1) ?? closed, until: bed.soon())
        }
        #expect(refused?.code == .unreachable)
        let nameless = await #expect(throws: NetworkError.self) {
            _ = try await bed.loop.connect(to: try #require(Endpoint("name.invalid:1")), until: bed.soon())
        }
        #expect(nameless?.code == .unresolved)
    }

    @Test("connections over the limit are closed at once")
    func limit() async throws {
        let bed = try Bed()
        // The client's end counts on the same loop, so it has a loop of its own.
        let endpoint = try bed.listen(limit: 1)
        let clients = try Bed()
        let first = try await clients.loop.connect(to: endpoint, until: bed.soon())
        _ = try await bed.server()
        let second = try await clients.loop.connect(to: endpoint, until: bed.soon())
        let error = await #expect(throws: NetworkError.self) { _ = try await second.receive(until: bed.soon()) }
        #expect(error?.code == .closed)
        #expect(first.ending == nil)
    }

    @Test("stopping the loop ends everything that it serves, and it serves nothing more")
    func stop() async throws {
        let bed = try Bed()
        let (client, _) = try await bed.pair()
        let waiting = Task { try await client.receive(until: nil) }
        bed.loop.stop()
        let error = await #expect(throws: NetworkError.self) { _ = try await waiting.value }
        #expect(error?.code == .closed)
        await #expect(throws: NetworkError.self) {
            _ = try await bed.loop.connect(to: try #require(Endpoint("127.0.0.1:1")), until: bed.soon())
        }
    }
}
