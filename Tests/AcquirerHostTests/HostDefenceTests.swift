import AcquirerHost
import Gateways
import ISO8583
import NetworkTransport
import Testing
import Transport

/// Clients that a host must not put up with.
@Suite struct HostDefenceTests {
    private func host(
        _ wireProtocol: AcquirerHostOptions.WireProtocol, clock: HandClock,
        _ change: (inout AcquirerHostOptions) -> Void = { _ in }
    ) throws -> (AcquirerHost, Endpoint) {
        var options = AcquirerHostOptions(endpoint: try #require(Endpoint("127.0.0.1:0")), wireProtocol: wireProtocol)
        change(&options)
        let host = try AcquirerHost(
            options, simulator: try IssuerSimulator(clock: clock), script: HostScript(), clock: clock)
        return (host, try host.start())
    }

    private func iso8583() throws -> AcquirerHostOptions.WireProtocol { .iso8583(try .ascii, .plain) }

    /// The host closes the connection without a word.
    private func expectClosed(_ connection: NetworkConnection, _ clock: any MonotonicClock) async {
        let error = await #expect(throws: NetworkError.self) {
            _ = try await connection.receive(until: .after(.seconds(60), on: clock))
        }
        #expect(error?.code == .closed)
    }

    @Test("a message that has begun and does not go on ends the connection, an idle client waits longer")
    func dawdling() async throws {
        let (clock, real) = (HandClock(), SystemMonotonicClock.shared)
        let (host, endpoint) = try host(iso8583(), clock: clock)
        let loop = try NetworkLoop(named: "test", clock: real)
        let soon = Deadline.after(.seconds(60), on: real)
        let dawdler = try await loop.connect(to: endpoint, until: soon)
        let idler = try await loop.connect(to: endpoint, until: soon)
        try await dawdler.send([0x00], until: soon)
        let waiting = Task { await expectClosed(dawdler, real) }
        // The host may not have looked at the byte yet when the clock first moves: it moves until it has.
        while dawdler.ending == nil {
            clock.advance(by: .seconds(1))
            await real.sleep(until: real.now().advanced(by: .milliseconds(5)))
            if real.now() > soon.instant { break }
        }
        await waiting.value
        #expect(idler.ending == nil || clock.now() >= MonotonicInstant(nanoseconds: 600_000_000_000))
        await host.stop()
        loop.stop()
    }

    @Test(
        "what is no message, an answer instead of a question, and a length over the limit end the connection",
        arguments: [
            [0x00, 0x04, 0x30, 0x32, 0x30, 0x30], [0x00, 0x02, 0xFF, 0xFF], [0xFF, 0xFF],
            [0x00, 0x14] + Array("02100000000000000000".utf8),
        ] as [[UInt8]])
    func nonsense(bytes: [UInt8]) async throws {
        let real = SystemMonotonicClock.shared
        let (host, endpoint) = try host(iso8583(), clock: HandClock())
        let loop = try NetworkLoop(named: "test", clock: real)
        let soon = Deadline.after(.seconds(60), on: real)
        let client = try await loop.connect(to: endpoint, until: soon)
        try await client.send(bytes, until: soon)
        await expectClosed(client, real)
        await host.stop()
        loop.stop()
    }

    @Test("a line of JSON over the limit ends the connection")
    func longLine() async throws {
        let real = SystemMonotonicClock.shared
        let (host, endpoint) = try host(.json, clock: HandClock())
        let loop = try NetworkLoop(named: "test", clock: real)
        let soon = Deadline.after(.seconds(60), on: real)
        let client = try await loop.connect(to: endpoint, until: soon)
        try? await client.send([UInt8](repeating: 0x20, count: 200_000), until: soon)
        await expectClosed(client, real)
        await host.stop()
        loop.stop()
    }

    @Test("a client with too many requests at a time, and one client too many, are let go")
    func floods() async throws {
        let real = SystemMonotonicClock.shared
        let (host, endpoint) = try host(.json, clock: HandClock()) { options in
            options.requestLimit = 2
            options.connectionLimit = 1
        }
        let loop = try NetworkLoop(named: "test", clock: real)
        let soon = Deadline.after(.seconds(60), on: real)
        let client = try await loop.connect(to: endpoint, until: soon)
        // 190.00 is never answered.
        let sales = (1...3).map { number in
            """
            {"id":"\(number)","operation":"authorise","attempt":"a\(number)","amount":"190.00","pan":"4761739001010119",\
            "expiry":"3112","entryMode":"magneticStripe","date":"261130","time":"102030"}\n
            """
        }
        let second = try await loop.connect(to: endpoint, until: soon)
        await expectClosed(second, real)
        try await client.send(Array(sales.joined().utf8), until: soon)
        await expectClosed(client, real)
        await host.stop()
        loop.stop()
    }

    @Test("a script that is wrong is refused by the place")
    func scripts() throws {
        let cases = [
            ("", "the whole file"), ("{}", "faults"), (#"{"faults":[{}]}"#, "faults.0.fault"),
            (#"{"faults":[{"fault":"late"}]}"#, "faults.0.fault"),
            (#"{"faults":[{"fault":"garbage"},{"fault":"garbage","on":"sale"}]}"#, "faults.1.on"),
            (#"{"faults":[{"fault":"garbage","times":-1}]}"#, "faults.0.times"),
            (#"{"faults":[{"fault":"garbage","amount":"1"}]}"#, "faults.0.amount"),
            (#"{"faults":[{"fault":"lateAnswer","delayMilliseconds":600001}]}"#, "faults.0.delayMilliseconds"),
        ]
        for (text, place) in cases {
            let error = #expect(throws: HostScriptError.self) { _ = try HostScript(json: Array(text.utf8)) }
            #expect(error?.place.contains(place.split(separator: ".").last ?? "") == true, "\(text)")
        }
        _ = try HostScript(json: Array(#"{"faults":[{"fault":"noAnswer","on":"refund","times":2}]}"#.utf8))
    }
}
