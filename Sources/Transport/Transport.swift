/// A connection to one device, as bytes: the seam at which a test stands in for the hardware.
///
/// What every implementation promises:
/// - Each wait ends at its deadline, when the calling task is cancelled, or when the device leaves; then nothing of it is
///   left in flight. If data arrived before the cancel did, the data is returned: a reply about money is never dropped.
/// - A call made in a task that is cancelled already ends with `.cancelled` before anything is sent. Clean-up that must
///   reach the device therefore runs in a task of its own.
/// - A device that has left answers `.gone` to everything from then on.
/// - `close()` may be called at any time and more than once; it ends every wait with `.closed` and returns when nothing
///   is in flight any more.
///
/// Calls in one direction are made one at a time; a receive, an event wait and a send may overlap.
public protocol Transport: Sendable {
    var traits: TransportTraits { get }

    /// Sends all bytes. At USB level: one transfer, closed by a zero-length packet when its size is a multiple of the
    /// packet size and `traits.endsTransfersWithZeroLengthPacket` is set.
    func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError)

    /// One transfer's worth of bytes, at most `count`. A USB transfer ends with a short packet, so the result may be
    /// shorter than `count` and may be empty (zero-length packet). `.timedOut` carries what had arrived.
    func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8]

    /// The next notification (USB interrupt IN). `.unsupported` when the device has no such pipe.
    func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8]

    /// A control request to the device. `.unsupported` where there is no control pipe.
    func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8]

    /// Clears a halted pipe (USB CLEAR_FEATURE(ENDPOINT_HALT)) after `.stalled`. A no-op on links without pipes.
    func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError)

    func close() async
}

public enum TransportDirection: Sendable, Hashable {
    case send, receive, event
}

/// What a link can do and how big its packets are.
public struct TransportTraits: Sendable, Hashable {
    /// wMaxPacketSize of the receive pipe, bytes; 1 for a plain byte stream.
    public var packetSize: Int
    public var hasEvents: Bool
    public var hasControl: Bool
    public var endsTransfersWithZeroLengthPacket: Bool

    public init(
        packetSize: Int, hasEvents: Bool, hasControl: Bool, endsTransfersWithZeroLengthPacket: Bool = false
    ) {
        self.packetSize = packetSize
        self.hasEvents = hasEvents
        self.hasControl = hasControl
        self.endsTransfersWithZeroLengthPacket = endsTransfersWithZeroLengthPacket
    }
}

/// A USB control request (USB 2.0, 9.3). `data` is sent for host-to-device requests; `expectedLength` (wLength) bounds
/// the answer of device-to-host ones.
public struct ControlRequest: Sendable, Hashable {
    public var requestType: UInt8
    public var request: UInt8
    public var value: UInt16
    public var index: UInt16
    public var data: [UInt8]
    public var expectedLength: UInt16

    public init(
        requestType: UInt8, request: UInt8, value: UInt16, index: UInt16, data: [UInt8] = [],
        expectedLength: UInt16 = 0
    ) {
        self.requestType = requestType
        self.request = request
        self.value = value
        self.index = index
        self.data = data
        self.expectedLength = expectedLength
    }

    /// bmRequestType bit 7: 1 = device to host.
    public var isDeviceToHost: Bool { requestType & 0x80 != 0 }
}
