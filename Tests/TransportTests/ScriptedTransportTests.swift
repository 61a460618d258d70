import Testing
import Transport

@Suite("A scripted transport")
struct ScriptedTransportTests {
    let clock = VirtualClock()

    private var deadline: Deadline { .after(.seconds(1), on: clock) }

    private func code(_ body: () async throws(TransportError) -> Void) async -> TransportError.Code? {
        do throws(TransportError) {
            try await body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("gives each answer for its bytes, to the end")
    func dialogue() async throws {
        let transport = ScriptedTransport([.expect([0x01, 0x02]), .give([0x0A]), .expect([0x03]), .give([])])
        try await transport.send([0x01, 0x02], until: deadline)
        #expect(try await transport.receive(atMost: 64, until: deadline) == [0x0A])
        try await transport.send([0x03], until: deadline)
        #expect(try await transport.receive(atMost: 64, until: deadline) == [])
        #expect(transport.remainingSteps == 0)
        #expect(transport.mismatch == nil)
    }

    @Test("an unexpected byte fails with a two-line diff, and so does everything after")
    func mismatch() async {
        let transport = ScriptedTransport([.expect([0x00, 0xA4, 0x04]), .give([0x90])])
        #expect(
            await code { () throws(TransportError) in try await transport.send([0x00, 0xA4, 0x05], until: deadline) }
                == .failed)
        #expect(transport.mismatch == "expected: 00 A4 04\nactual:   00 A4 05")
        #expect(
            await code { () throws(TransportError) in _ = try await transport.receive(atMost: 9, until: deadline) }
                == .failed)
        #expect(transport.remainingSteps == 2)
    }

    @Test("sending behind the end of the script is a mismatch")
    func behindTheEnd() async {
        let transport = ScriptedTransport([])
        #expect(
            await code { () throws(TransportError) in try await transport.send([0x01], until: deadline) } == .failed)
        #expect(transport.mismatch == "expected: the end of the script\nactual:   01")
    }

    @Test("receiving when it is the other side's turn to be spoken to times out and moves the clock")
    func silence() async throws {
        let transport = ScriptedTransport([.expect([0x01])], clock: clock)
        let deadline = deadline
        #expect(
            await code { () throws(TransportError) in _ = try await transport.receive(atMost: 9, until: deadline) }
                == .timedOut)
        #expect(deadline.hasPassed(on: clock))
        // The script goes on as if nothing had been asked.
        try await transport.send([0x01], until: self.deadline)
        #expect(transport.mismatch == nil)
    }

    @Test("a time-out step carries the partial bytes")
    func partial() async {
        let transport = ScriptedTransport([.timeOut(partial: [0x06, 0x07])])
        do throws(TransportError) {
            _ = try await transport.receive(atMost: 64, until: deadline)
            Issue.record("it did not time out")
        } catch {
            #expect(error.code == .timedOut)
            #expect(error.partial == [0x06, 0x07])
        }
    }

    @Test("more bytes than asked for overflow")
    func overflow() async {
        let transport = ScriptedTransport([.give([1, 2, 3])])
        #expect(
            await code { () throws(TransportError) in _ = try await transport.receive(atMost: 2, until: deadline) }
                == .overflow)
    }

    @Test("events wait in a queue of their own")
    func events() async throws {
        let transport = ScriptedTransport([.expect([0x01]), .event([0x50, 0x03]), .give([0x02])], clock: clock)
        #expect(try await transport.receiveEvent(until: deadline) == [0x50, 0x03])
        try await transport.send([0x01], until: deadline)
        #expect(
            await code { () throws(TransportError) in _ = try await transport.receiveEvent(until: deadline) }
                == .timedOut)
        #expect(try await transport.receive(atMost: 8, until: deadline) == [0x02])
    }

    @Test("control requests, stalls and their clearing follow the script")
    func control() async throws {
        let request = ControlRequest(requestType: 0xC0, request: 0x01, value: 2, index: 3, expectedLength: 8)
        let stall = TransportError(.stalled, during: "receive")
        let transport = ScriptedTransport([.control(request, reply: [0x0F]), .fail(stall), .clearStall(.receive)])
        #expect(try await transport.control(request, until: deadline) == [0x0F])
        #expect(
            await code { () throws(TransportError) in _ = try await transport.receive(atMost: 8, until: deadline) }
                == .stalled)
        try await transport.clearStall(.receive, until: deadline)
        #expect(transport.remainingSteps == 0)
    }

    @Test("a device that leaves stays gone, and a closed transport is closed")
    func endings() async {
        let transport = ScriptedTransport([.leave])
        for _ in 0..<2 {
            #expect(await code { () throws(TransportError) in try await transport.send([1], until: deadline) } == .gone)
            #expect(
                await code { () throws(TransportError) in _ = try await transport.receive(atMost: 1, until: deadline) }
                    == .gone)
        }
        await transport.close()
        #expect(transport.isClosed)
        #expect(await code { () throws(TransportError) in try await transport.send([1], until: deadline) } == .closed)
    }

    @Test("an error's text never shows the partial bytes")
    func text() {
        let error = TransportError(.timedOut, during: "receive", underlying: "X", partial: [0x47, 0x61])
        #expect("\(error)" == "receive: timedOut (X)")
    }
}
