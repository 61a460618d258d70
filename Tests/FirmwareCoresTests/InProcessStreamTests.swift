import FirmwareCores
import InProcessMock
import Testing
import Transport

/// A serial firmware in process: bytes both ways, cut as the firmware cuts them and as the reader asks for them.
struct InProcessStreamTests {
    /// Sends every piece back, in pieces of its own size and then as many zeros as the first byte says.
    final class Echo: SerialFirmware {
        var nextDue: Duration?
        func receive(_ bytes: [UInt8], at now: Duration) -> [SerialEffect] {
            if bytes == [0xFF] {
                nextDue = now + .seconds(3)
                return []
            }
            return [.bytes(bytes), .bytes([UInt8](repeating: 0, count: Int(bytes[0])))]
        }
        func advance(to now: Duration) -> [SerialEffect] {
            guard let due = nextDue, due <= now else { return [] }
            nextDue = nil
            return [.bytes([0xEE])]
        }
        func powerCycled() {}
        func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [SerialEffect]) {
            command == "leave" ? (nil, [.unplug]) : ("it only echoes", [])
        }
    }

    private let clock = VirtualClock()

    private func deadline(_ seconds: Int = 1) -> Deadline { .after(.seconds(seconds), on: clock) }

    @Test func piecesStayApartAndSmallReadsLoseNothing() async throws {
        let device = InProcessDevice(serial: Echo(), clock: clock)
        let stream = device.openStream()
        // Two packets of 64 bytes and no short one: the piece must end all the same.
        try await stream.send([UInt8](repeating: 128, count: 128), until: deadline())
        #expect(try await stream.receive(atMost: 1000, until: deadline()).count == 128)
        #expect(try await stream.receive(atMost: 100, until: deadline()).count == 100)
        #expect(try await stream.receive(atMost: 100, until: deadline()) == [UInt8](repeating: 0, count: 28))
    }

    @Test func lateBytesComeAtTheirTime() async throws {
        let stream = InProcessDevice(serial: Echo(), clock: clock).openStream()
        try await stream.send([0xFF], until: deadline())
        let start = clock.now()
        #expect(try await stream.receive(atMost: 10, until: deadline(10)) == [0xEE])
        #expect(start.duration(to: clock.now()) == .seconds(3))
        await #expect(throws: TransportError(.timedOut, during: "receive")) {
            _ = try await stream.receive(atMost: 10, until: deadline())
        }
    }

    @Test func hangUpIsGone() async throws {
        let device = InProcessDevice(serial: Echo(), clock: clock)
        let stream = device.openStream()
        #expect(device.steer("leave") == nil)
        await #expect(throws: TransportError(.gone, during: "receive")) {
            _ = try await stream.receive(atMost: 10, until: deadline())
        }
        #expect(device.steer("dance") == "it only echoes")
    }
}
