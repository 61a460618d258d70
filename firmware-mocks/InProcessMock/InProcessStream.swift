public import FirmwareCores
import Synchronization
public import Transport

extension InProcessDevice {
    /// A mock device at the far end of a byte stream. Steering, observation and plugging are those of every device; one
    /// OUT and one IN transfer carry one piece of the stream.
    public convenience init(serial firmware: sending any SerialFirmware, clock: any MonotonicClock) {
        self.init(core: SerialUSBCore(firmware), clock: clock)
    }

    /// A connection to the device as a plain byte stream, as it is plugged in now.
    public func openStream() -> InProcessStream { InProcessStream(open()) }

    /// Looks at the firmware of a serial device under the lock; nil when the device is another one. Keep it short.
    public func withFirmware<Result: Sendable>(_ body: (any SerialFirmware) -> Result) -> Result? {
        withCore { core in (core as? SerialUSBCore).map { body($0.firmware) } }
    }
}

/// A byte stream to a mock device in this process: no packets, no events, no control pipe. A receive returns what has
/// come, at most a piece as the firmware sent it, and never nothing.
public final class InProcessStream: Transport {
    public let traits = TransportTraits(packetSize: 1, hasEvents: false, hasControl: false)
    private let transport: InProcessTransport
    private let rest = Mutex<ArraySlice<UInt8>>([])

    /// More than any piece: what does not fit a caller's buffer waits for its next receive.
    private static let largestPiece = 1 << 17

    init(_ transport: InProcessTransport) {
        self.transport = transport
    }

    public func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        try await transport.send(bytes, until: deadline)
    }

    public func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        guard count > 0 else { return [] }
        while true {
            let waiting = rest.withLock { rest in
                defer { rest = rest.dropFirst(count) }
                return Array(rest.prefix(count))
            }
            if !waiting.isEmpty { return waiting }
            let piece = try await transport.receive(atMost: Self.largestPiece, until: deadline)
            rest.withLock { $0 = piece[...] }
        }
    }

    public func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        throw TransportError(.unsupported, during: "receive event")
    }

    public func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        throw TransportError(.unsupported, during: "control")
    }

    public func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {}

    public func close() async { await transport.close() }
}
