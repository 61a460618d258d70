import FirmwareCores
import InProcessMock
import Synchronization
import Testing
import Transport

/// The transport's promises with virtual time: no test here waits for real.
struct InProcessTransportTests {
    private let clock = VirtualClock()
    private let status = hex("65 00000000 00 07 000000")
    private let good = "81000000000007010000"

    private func device(_ options: [String: String] = [:]) throws -> InProcessDevice {
        InProcessDevice(core: try CCIDReaderCore.make(options: options), clock: clock)
    }

    private func soon(_ milliseconds: Int = 1000) -> Deadline { .after(.milliseconds(milliseconds), on: clock) }

    private func code(_ body: () async throws(TransportError) -> [UInt8]) async -> TransportError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func traitsComeFromTheDescriptors() throws {
        #expect(try device().open().traits == TransportTraits(packetSize: 64, hasEvents: true, hasControl: true))
        let other = try device(["packet": "512", "interrupt": "no"]).open()
        #expect(other.traits == TransportTraits(packetSize: 512, hasEvents: false, hasControl: true))
    }

    @Test func answerArrivesWithoutTimePassing() async throws {
        let transport = try device().open()
        let start = clock.now()
        try await transport.send(status, until: soon())
        #expect(text(try await transport.receive(atMost: 271, until: soon())) == good)
        #expect(clock.now() == start)
    }

    @Test func silenceEndsExactlyAtTheDeadline() async throws {
        let transport = try device().open()
        let deadline = soon(700)
        #expect(
            await code { () throws(TransportError) in try await transport.receive(atMost: 271, until: deadline) }
                == .timedOut)
        #expect(clock.now() == deadline.instant)
        #expect(
            await code { () throws(TransportError) in try await transport.receive(atMost: 271, until: deadline) }
                == .timedOut)
        try await transport.send(status, until: soon())
        #expect(text(try await transport.receive(atMost: 271, until: soon())) == good)
    }

    @Test func lateAnswerArrivesWhenItIsDue() async throws {
        let device = try device()
        #expect(device.steer("fault next late 400") == nil)
        let transport = device.open()
        let start = clock.now()
        try await transport.send(status, until: soon())
        #expect(text(try await transport.receive(atMost: 271, until: soon())) == good)
        #expect(clock.now() == start.advanced(by: .milliseconds(400)))
    }

    @Test func answerThatFillsItsPacketIsPartialWithoutTheEmptyOne() async throws {
        let device = InProcessDevice(core: FullPacketCore(), clock: clock)
        let transport = device.open()
        try await transport.send([1], until: soon())
        do {
            _ = try await transport.receive(atMost: 271, until: soon())
            Issue.record("the transfer should not have ended")
        } catch {
            #expect(error.code == .timedOut)
            #expect(error.partial == [UInt8](repeating: 0xA5, count: 64))
        }
        try await transport.send([1], until: soon())
        #expect(try await transport.receive(atMost: 64, until: soon()).count == 64)
        try await transport.send([1], until: soon())
        #expect(
            await code { () throws(TransportError) in try await transport.receive(atMost: 10, until: soon()) }
                == .overflow)
    }

    @Test func unpluggedTransportStaysGone() async throws {
        let device = try device()
        let old = device.open()
        #expect(device.steer("unplug") == nil)
        #expect(!device.isPlugged)
        #expect(await code { () throws(TransportError) in try await old.receive(atMost: 1, until: soon()) } == .gone)
        #expect(
            await code { () throws(TransportError) in
                try await device.open().receive(atMost: 1, until: soon())
            } == .gone)
        #expect(device.steer("plug") == nil)
        await #expect(throws: TransportError.self) { try await old.send(status, until: soon()) }
        #expect(await code { () throws(TransportError) in try await old.receiveEvent(until: soon()) } == .gone)
        let new = device.open()
        try await new.send(status, until: soon())
        #expect(text(try await new.receive(atMost: 271, until: soon())) == good)
    }

    @Test(arguments: ["unplug-before", "unplug-after", "unplug-half"])
    func leavingDuringACommandIsGone(fault: String) async throws {
        let device = try device()
        #expect(device.steer("fault next \(fault)") == nil)
        let transport = device.open()
        var received: [UInt8] = []
        let result = await code { () throws(TransportError) in
            try await transport.send(status, until: soon())
            received += try await transport.receive(atMost: 271, until: soon())
            received += try await transport.receive(atMost: 271, until: soon())
            return []
        }
        #expect(result == .gone)
        #expect(text(received) == (fault == "unplug-half" ? "8100000000" : ""))
    }

    @Test func stalledPipeWorksAgainOnceCleared() async throws {
        let device = try device()
        #expect(device.steer("fault next stall") == nil)
        let transport = device.open()
        try await transport.send(status, until: soon())
        for _ in 1...2 {
            #expect(
                await code { () throws(TransportError) in
                    try await transport.receive(atMost: 271, until: soon())
                } == .stalled)
        }
        try await transport.clearStall(.receive, until: soon())
        try await transport.send(status, until: soon())
        #expect(text(try await transport.receive(atMost: 271, until: soon())) == good)
    }

    @Test func controlRequestsReachDeviceAndCore() async throws {
        let transport = try device(["serial": "Q7"]).open()
        let serial = ControlRequest(requestType: 0x80, request: 6, value: 0x0303, index: 0x0409, expectedLength: 255)
        #expect(text(try await transport.control(serial, until: soon())) == "060351003700")
        let clocks = ControlRequest(requestType: 0xA1, request: 2, value: 0, index: 0, expectedLength: 64)
        #expect(text(try await transport.control(clocks, until: soon())) == "A00F0000")
        let unknown = ControlRequest(requestType: 0xC0, request: 9, value: 0, index: 0, expectedLength: 64)
        #expect(
            await code { () throws(TransportError) in try await transport.control(unknown, until: soon()) } == .stalled)
    }

    @Test func scheduledSteeringHappensInVirtualTime() async throws {
        let device = try device(["card": "none"])
        #expect(device.steer("after 250 insert visa-credit") == nil)
        #expect(device.steer("after x insert") != nil)
        let start = clock.now()
        #expect(text(try await device.open().receiveEvent(until: soon())) == "5003")
        #expect(clock.now() == start.advanced(by: .milliseconds(250)))
    }

    @Test func plugEventsArriveInOrder() async throws {
        let device = try device()
        let events = device.events()
        #expect(device.steer("fault next reboot") == nil)
        try await device.open().send(status, until: soon())
        var seen: [PlugEvent] = []
        for await event in events.prefix(2) { seen.append(event) }
        #expect(seen == [.unplugged, .plugged])
        #expect(await device.wait(plugged: true, until: soon()))
        #expect(await device.wait(plugged: false, until: soon()) == false)
        let new = device.open()
        try await new.send(status, until: soon())
        #expect(text(try await new.receive(atMost: 271, until: soon())) == good)
    }

    @Test func observerSeesAndTampers() async throws {
        let device = try device()
        let notes = Mutex<[TransferNote]>([])
        device.onTransfer { note in
            notes.withLock { $0.append(note) }
            if note.kind == .in, note.moment == .done, note.number == 2 { return .replace([0xFF]) }
            if note.kind == .out, note.number == 3 { return .steer("unplug") }
            return .pass
        }
        let transport = device.open()
        try await transport.send(status, until: soon())
        #expect(text(try await transport.receive(atMost: 271, until: soon())) == good)
        try await transport.send(status, until: soon())
        #expect(try await transport.receive(atMost: 271, until: soon()) == [0xFF])
        await #expect(throws: TransportError(.gone, during: "send")) {
            try await transport.send(status, until: soon())
        }
        #expect(device.transfers(.out) == 3 && device.transfers(.in) == 2 && device.transfers(.event) == 0)
        #expect(notes.withLock { $0.first }?.bytes == status)
    }

    @Test func cardLogIsReadThroughTheDevice() throws {
        let device = try device()
        #expect(device.withCore { ($0 as? CCIDReaderCore)?.card?.log.count } == 0)
        #expect(device.withCore { ($0 as? CCIDReaderCore)?.framesSeen } == 0)
    }
}

/// Answers every OUT transfer with exactly one full packet.
private final class FullPacketCore: FirmwareCore {
    let descriptors = DeviceDescriptors(
        device: [UInt8](repeating: 0, count: 18),
        configuration: hex("07050202400000 07058202400000"), strings: [], speed: "12")

    func out(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> [FirmwareEffect] {
        [.data(endpoint: 0x82, bytes: [UInt8](repeating: 0xA5, count: 64), zeroLengthPacket: false)]
    }

    func control(_ setup: SetupPacket, data: [UInt8], at now: Duration) -> (
        reply: ControlReply, effects: [FirmwareEffect]
    ) { (.stall, []) }

    let nextDue: Duration? = nil
    func advance(to now: Duration) -> [FirmwareEffect] { [] }
    func haltCleared(on endpoint: UInt8) {}
    func powerCycled() {}
    func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [FirmwareEffect]) { ("no", []) }
}
