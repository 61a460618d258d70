import AcquirerHost
import Gateways
import ISO8583
import NetworkTransport
import Testing
import Transport

/// What the gateway does about its line.
@Suite struct GatewayLineTests {
    private func unreachable(_ change: (inout ISO8583GatewayOptions) -> Void = { _ in }) async throws -> GatewayError? {
        let bed = try HostBed()
        let closed = Endpoint(host: "127.0.0.1", port: 1) ?? bed.endpoint
        var options = ISO8583GatewayOptions(endpoint: closed, profile: try .ascii)
        change(&options)
        let gateway = try ISO8583Gateway(
            options, terminal: HostBed.terminal, tracePath: bed.directory + "/other", clock: bed.clock)
        let error = await #expect(throws: GatewayError.self) {
            _ = try await gateway.authorise(sale("s1"), until: bed.soon())
        }
        await gateway.close()
        await bed.close()
        return error
    }

    @Test("a host that cannot be reached, resolved or trusted: certainly not sent")
    func notSent() async throws {
        #expect(try await unreachable()?.code == .notSent)
        #expect(
            try await unreachable { options in
                options.endpoint = Endpoint("name.invalid:8583") ?? options.endpoint
            }?.code == .notSent)
        #expect(
            try await unreachable { $0.tls = TLSClientSettings(authorityFile: "/nonexistent") }?.code
                == .notSent)
    }

    @Test("no time left, and a task that is cancelled already: certainly not sent")
    func neverSent() async throws {
        let bed = try HostBed()
        let late = await #expect(throws: GatewayError.self) {
            _ = try await bed.gateway.authorise(sale("s1"), until: .after(.zero, on: bed.clock))
        }
        #expect(late?.code == .notSent)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await bed.gateway.authorise(sale("s2"), until: bed.soon())
        }
        task.cancel()
        await #expect(throws: GatewayError.cancelled(sent: false)) { try await task.value }
        #expect(bed.events.isEmpty)
        await bed.close()
    }

    @Test("a cancel after the request has left says so")
    func cancelled() async throws {
        let bed = try HostBed()
        bed.script.add(HostFaultRule(.noAnswer))
        let task = Task { _ = try await bed.gateway.authorise(sale("s1"), until: bed.soon()) }
        await bed.until { !bed.events.isEmpty }
        task.cancel()
        await #expect(throws: GatewayError.cancelled(sent: true)) { try await task.value }
        #expect(bed.net == 123_45)
        await bed.close()
    }

    @Test("after the host has closed the line, the next request makes a new one")
    func reconnects() async throws {
        let bed = try HostBed()
        bed.script.add(HostFaultRule(.answerThenClose, times: 1))
        _ = try await bed.gateway.authorise(sale("s1"), until: bed.soon())
        // Whether or not the gateway has noticed by now, nothing of this one can have been lost.
        let second = try? await bed.gateway.authorise(sale("s2"), until: bed.soon())
        if second == nil { _ = try await bed.gateway.reverse(reversal("s2"), until: bed.soon()) }
        _ = try await bed.gateway.authorise(sale("s3"), until: bed.soon())
        #expect(bed.gateway.lineStatistics.connections >= 2)
        #expect(bed.net == (second == nil ? 246_90 : 370_35))
        await bed.close()
    }

    @Test("answers twice and answers to nothing are counted and dropped")
    func duplicates() async throws {
        let bed = try HostBed()
        bed.script.add(HostFaultRule(.duplicateAnswer, times: 1))
        bed.script.add(HostFaultRule(.wrongSTAN, amount: 5_00, times: 1))
        let request = try sale("s1", 5_00)
        let unanswered = await bed.settle(.authorisation, isAnswered: false) {
            () async throws(GatewayError) in try await bed.gateway.authorise(request, until: bed.soon())
        }
        #expect(throws: GatewayError.self) { _ = try unanswered.get() }
        _ = try await bed.gateway.authorise(sale("s2"), until: bed.soon())
        _ = try await bed.gateway.authorise(sale("s3"), until: bed.soon())
        await bed.until { bed.gateway.lineStatistics.duplicateAnswers == 1 }
        #expect(bed.gateway.lineStatistics.duplicateAnswers == 1)
        #expect(bed.gateway.lineStatistics.strayAnswers == 1)
        #expect(bed.gateway.lineStatistics.lateAnswers == 0)
        await bed.close()
    }

    @Test("an idle line is kept alive by echoes, and given up when one is not answered")
    func echoes() async throws {
        var line = HostBed.Line()
        line.echoInterval = .seconds(1)
        let bed = try HostBed(line)
        try await bed.gateway.echo(until: bed.soon())
        for count in 2...4 {
            // The echo's own activity starts the interval again.
            await bed.until { bed.advance(by: .seconds(1), orHas: bed.events.count >= count) }
        }
        #expect(bed.events.allSatisfy { $0.operation == .network && $0.responseCode == "00" })
        bed.script.add(HostFaultRule(.closeAfterBooking, on: .network, times: 1))
        await bed.until { bed.advance(by: .seconds(1), orHas: bed.events.last?.fault != nil) }
        bed.script.clear()
        try await bed.gateway.echo(until: bed.soon())
        #expect(bed.gateway.lineStatistics.connections == 2)
        await bed.close()
    }

    @Test("without its sign-on a line is not used")
    func signOn() async throws {
        var line = HostBed.Line()
        line.signsOn = true
        let bed = try HostBed(line)
        bed.script.add(HostFaultRule(.closeAfterBooking, on: .network, times: 1))
        let error = await #expect(throws: GatewayError.self) {
            _ = try await bed.gateway.authorise(sale("s1"), until: bed.soon())
        }
        #expect(error?.code == .notSent)
        _ = try await bed.gateway.authorise(sale("s1"), until: bed.soon())
        #expect(bed.events.map(\.operation) == [.network, .network, .authorisation])
        await bed.close()
    }

    @Test("another key for codes: no answer is usable, and the host books nothing")
    func wrongKeys() async throws {
        var line = HostBed.Line()
        line.mac = .retail
        let bed = try HostBed(line)
        var options = ISO8583GatewayOptions(endpoint: bed.endpoint, profile: try .ascii)
        options.mac = nil
        let gateway = try ISO8583Gateway(
            options, terminal: HostBed.terminal, tracePath: bed.directory + "/other", clock: bed.clock)
        let answer = try await gateway.authorise(sale("s1"), until: bed.soon())
        #expect(answer.responseCode.text == "63")
        #expect(bed.net == 0)
        await gateway.close()
        await bed.close()
    }

    @Test("a gateway that was closed sends nothing more")
    func closed() async throws {
        let bed = try HostBed()
        await bed.gateway.close()
        let error = await #expect(throws: GatewayError.self) {
            _ = try await bed.gateway.authorise(sale("s1"), until: bed.soon())
        }
        #expect(error?.moneyMayHaveMoved == false)
        await bed.close()
    }
}
