import Bridge
import NetworkTransport
import SeededInput
import Serial
import Synchronization
import Testing
import Transport

@Suite("A bridge that speaks RFC 2217", .timeLimit(.minutes(2)))
struct ComPortBridgeTests {
    /// What the server says first, then the signature question and the modem state after WILL COM-PORT-OPTION.
    private static let offer: [UInt8] = [255, 251, 0, 255, 253, 0, 255, 251, 3, 255, 253, 3, 255, 253, 44]
    /// What it says to a client of a line without modem lines, once it speaks RFC 2217.
    private static let hello: [UInt8] = [255, 250, 44, 100, 255, 240, 255, 250, 44, 107, 0, 255, 240]
    private static let agreement: [UInt8] = [255, 253, 0, 255, 251, 0, 255, 253, 3, 255, 251, 3, 255, 251, 44]

    private func with(
        _ source: any LineSource = LoopbackSource(), _ body: (NetworkLoop, Told) async throws -> Void
    ) async throws {
        let endpoint = try #require(Endpoint(host: "127.0.0.1", port: 0))
        let loop = try NetworkLoop(named: "test", clock: SystemMonotonicClock.shared)
        defer { loop.stop() }
        let options = BridgeOptions(
            offer: .rfc2217(endpoint), settings: SerialSettings(baud: .b9600), signature: "Reader 255")
        try await withBridge(options, source) { try await body(loop, $0) }
    }

    /// Connects and agrees on everything.
    private func client(_ loop: NetworkLoop, _ told: Told) async throws -> NetworkConnection {
        let client = try await loop.connect(to: told.endpoint, until: soon)
        #expect(try await client.receive(exactly: Self.offer.count) == Self.offer)
        try await client.send(Self.agreement, until: soon)
        // Signature question; DCD, DSR and CTS are up: the loop-back plug.
        let first: [UInt8] = [255, 250, 44, 100, 255, 240, 255, 250, 44, 107, 176, 255, 240]
        #expect(try await client.receive(exactly: first.count) == first)
        return client
    }

    private func ask(_ client: NetworkConnection, _ parameters: [UInt8], _ answer: [UInt8]) async throws {
        try await client.send([255, 250, 44] + parameters + [255, 240], until: soon)
        let expected = [255, 250, 44] + answer + [255, 240]
        #expect(try await client.receive(exactly: expected.count) == expected, "\(parameters)")
    }

    @Test("settings are set, asked for, and answered with what holds")
    func settings() async throws {
        try await with { loop, told in
            let client = try await client(loop, told)
            try await ask(client, [1, 0, 0, 0, 0], [101, 0, 0, 0x25, 0x80])
            try await ask(client, [1, 0, 1, 0xC2, 0], [101, 0, 1, 0xC2, 0])
            try await ask(client, [2, 7], [102, 7])
            try await ask(client, [2, 0], [102, 7])
            try await ask(client, [2, 9], [102, 7])
            try await ask(client, [3, 3], [103, 3])
            try await ask(client, [3, 0], [103, 3])
            try await ask(client, [4, 2], [104, 2])
            // One and a half stop bits are not there.
            try await ask(client, [4, 3], [104, 2])
            try await ask(client, [5, 3], [105, 3])
            try await ask(client, [5, 0], [105, 3])
            try await ask(client, [5, 13], [105, 16])
            try await ask(client, [5, 1], [105, 1])
            try await ask(client, [5, 17], [105, 1])
            try await ask(client, [0], [100] + Array("Reader 255".utf8))
            try await ask(client, [6], [106, 96])
            try await ask(client, [10, 3], [110, 3])
            try await ask(client, [12, 3], [112, 3])
        }
    }

    @Test("a client that uses the option without having agreed to it is served all the same")
    func withoutAgreement() async throws {
        try await with { loop, told in
            let client = try await loop.connect(to: told.endpoint, until: soon)
            _ = try await client.receive(exactly: Self.offer.count)
            try await client.send([255, 250, 44, 2, 0, 255, 240], until: soon)
            let expected: [UInt8] = [
                255, 250, 44, 100, 255, 240, 255, 250, 44, 102, 8, 255, 240, 255, 250, 44, 107, 176, 255, 240,
            ]
            #expect(try await client.receive(exactly: expected.count) == expected)
        }
    }

    @Test("DTR, RTS and break; the lines that follow them are told")
    func lines() async throws {
        try await with { loop, told in
            let client = try await client(loop, told)
            try await ask(client, [5, 7], [105, 8])
            // DTR falls: with it DSR and DCD, by the plug.
            try await ask(client, [5, 9], [105, 9, 255, 240, 255, 250, 44, 107, 0x10 | 0x08 | 0x02])
            try await ask(client, [5, 10], [105, 11])
            try await ask(client, [5, 12], [105, 12, 255, 240, 255, 250, 44, 107, 0x01])
            try await ask(client, [11, 16], [111, 16])
            // The client wants to know of CTS only.
            try await ask(client, [5, 8], [105, 8])
            try await ask(client, [5, 11], [105, 11, 255, 240, 255, 250, 44, 107, 0x10])
            try await ask(client, [5, 5], [105, 5])
            try await ask(client, [5, 4], [105, 5])
            try await ask(client, [5, 6], [105, 6])
            try await ask(client, [7], [107, 0xB0])
        }
    }

    @Test("data with every byte, both ways: 255 is doubled on the way and single on the line")
    func data() async throws {
        try await with { loop, told in
            let client = try await client(loop, told)
            let bytes = pattern(1 << 18).flatMap { $0 == 255 ? [255, 255] : [$0] }
            async let sent: Void = client.send(bytes, until: soon)
            #expect(try await client.receive(exactly: bytes.count) == bytes)
            try await sent
        }
    }

    @Test("bytes behind a change are not sent before it")
    func order() async throws {
        let log = Mutex<[String]>([])
        let source = LoggedSource { entry in log.withLock { $0.append(entry) } }
        try await with(source) { loop, told in
            let client = try await loop.connect(to: told.endpoint, until: soon)
            _ = try await client.receive(exactly: Self.offer.count)
            var bytes = Self.agreement
            for baud in UInt8(1)...20 { bytes += [baud, 255, 250, 44, 1, 0, 0, 1, baud, 255, 240] }
            try await client.send(bytes + [99], until: soon)
            // The echo of the last byte.
            while try await client.receive(until: soon).last != 99 {}
            let entries = log.withLock { $0 }
            #expect(entries == (1...20).flatMap { ["byte \($0)", "baud \(256 + $0)"] } + ["byte 99"])
        }
    }

    @Test("a pause that the client asks for is kept, and nothing is lost")
    func pause() async throws {
        let plug = try Plug()
        let reader = try plug.putIn()
        try await with(TTYLineSource(path: plug.path)) { loop, told in
            let client = try await loop.connect(to: told.endpoint, until: soon)
            _ = try await client.receive(exactly: Self.offer.count)
            // The answer to the purge says that the pause before it has been heard.
            try await client.send([255, 250, 44, 8, 255, 240, 255, 250, 44, 12, 2, 255, 240], until: soon)
            let answers = Self.hello + [255, 250, 44, 112, 2, 255, 240]
            #expect(try await client.receive(exactly: answers.count) == answers)
            try await reader.send([1, 2, 3], until: soon)
            await #expect(throws: NetworkError.self) { try await client.receive(until: after(100)) }
            try await client.send([255, 250, 44, 9, 255, 240], until: soon)
            #expect(try await client.receive(exactly: 3) == [1, 2, 3])
        }
        await plug.end()
    }

    @Test("what the client has set is set again when the reader comes back; the answers are what the line keeps")
    func settingsOverReplug() async throws {
        let plug = try Plug()
        let reader = try plug.putIn()
        try await with(TTYLineSource(path: plug.path)) { loop, told in
            let client = try await loop.connect(to: told.endpoint, until: soon)
            _ = try await client.receive(exactly: Self.offer.count)
            try await client.send([255, 251, 44], until: soon)
            #expect(try await client.receive(exactly: Self.hello.count) == Self.hello)
            try await ask(client, [1, 0, 0, 0x4B, 0], [101, 0, 0, 0x4B, 0])
            #expect(try await reader.settings(until: soon).baud == .b19200)
            // A pseudo terminal keeps no parity.
            try await ask(client, [3, 2], [103, 1])
            try await ask(client, [5, 9], [105, 9])
            await plug.pullOut(reader)
            try await told.event(.readerLeft)
            // Asked while it is away: what will be set.
            try await ask(client, [1, 0, 0, 0x96, 0], [101, 0, 0, 0x96, 0])
            try await ask(client, [5, 7], [105, 9])
            let back = try plug.putIn()
            try await told.event(.readerBack)
            #expect(try await back.settings(until: soon).baud == .b38400)
        }
        await plug.end()
    }

    @Test("the next client begins anew, with the settings that the line has")
    func nextClient() async throws {
        try await with { loop, told in
            let first = try await client(loop, told)
            try await ask(first, [1, 0, 0, 0x4B, 0], [101, 0, 0, 0x4B, 0])
            // Cut off in the middle of a command.
            try await first.send([255, 250, 44, 1, 0], until: soon)
            await first.close()
            try await told.event(.clientLeft)
            let second = try await client(loop, told)
            try await ask(second, [1, 0, 0, 0, 0], [101, 0, 0, 0x4B, 0])
            try await second.send([255, 250, 44, 0, 0x4D, 0x65, 255, 240], until: soon)
            try await told.event(.clientSignature("Me"))
        }
    }

    @Test("hostile clients: the bridge lives, and serves the next one", arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8])
    func hostile(seed: UInt64) async throws {
        try await with { loop, told in
            var numbers = SeededNumbers(seed: seed)
            let usual: [UInt8] = [255, 255, 250, 240, 251, 253, 44, 0, 1, 5, 8, 12]
            let hostile = try await loop.connect(to: told.endpoint, until: soon)
            let bytes = (0..<20_000).map { _ in usual[Int.random(in: 0..<usual.count, using: &numbers)] }
            let draining = Task { while (try? await hostile.receive(until: soon)) != nil {} }
            try await hostile.send(bytes, until: soon)
            await hostile.close()
            await draining.value
            try await told.event(.clientLeft)
            let next = try await loop.connect(to: told.endpoint, until: soon)
            #expect(try await next.receive(exactly: Self.offer.count).starts(with: Self.offer))
        }
    }
}

/// Notes in which order bytes and speeds reach the line.
private struct LoggedSource: LineSource {
    let title = "logged"
    let note: @Sendable (String) -> Void

    func open(
        _ settings: SerialSettings, on context: SerialContext, until deadline: Deadline
    ) async throws(TransportError) -> any SerialLine {
        LoggedLine(LoopbackLine(settings, clock: SystemMonotonicClock.shared), note)
    }
}

private struct LoggedLine: SerialLine {
    let line: LoopbackLine
    let note: @Sendable (String) -> Void
    let traits = TransportTraits(packetSize: 1, hasEvents: false, hasControl: false)

    init(_ line: LoopbackLine, _ note: @escaping @Sendable (String) -> Void) {
        self.line = line
        self.note = note
    }

    func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        for byte in bytes { note("byte \(byte)") }
        try await line.send(bytes, until: deadline)
    }
    func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await line.receive(atMost: count, until: deadline)
    }
    func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await line.receiveEvent(until: deadline)
    }
    func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        try await line.control(request, until: deadline)
    }
    func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {}
    func close() async { await line.close() }
    func configure(
        _ settings: SerialSettings, until deadline: Deadline
    ) async throws(TransportError) -> SerialSettings {
        note("baud \(settings.baud.bitsPerSecond)")
        return try await line.configure(settings, until: deadline)
    }
    func settings(until deadline: Deadline) async throws(TransportError) -> SerialSettings {
        try await line.settings(until: deadline)
    }
    func modemLines(until deadline: Deadline) async throws(TransportError) -> ModemLines {
        try await line.modemLines(until: deadline)
    }
    func set(raised: ModemOutputs, lowered: ModemOutputs, until deadline: Deadline) async throws(TransportError) {
        try await line.set(raised: raised, lowered: lowered, until: deadline)
    }
    func setBreak(_ isOn: Bool, until deadline: Deadline) async throws(TransportError) {
        try await line.setBreak(isOn, until: deadline)
    }
    func drain(until deadline: Deadline) async throws(TransportError) { try await line.drain(until: deadline) }
    func purge(_ buffers: SerialBuffers, until deadline: Deadline) async throws(TransportError) {
        try await line.purge(buffers, until: deadline)
    }
}
