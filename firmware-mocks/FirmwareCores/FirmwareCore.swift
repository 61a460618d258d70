/// The firmware of one device model: bytes in, effects out. It has no file descriptor, no thread and no clock of its own,
/// so the same object runs in process, behind umockdev and behind USB/IP. Not thread-safe: its owner holds a lock.
///
/// Times are durations since the owner's own start; they never go back.
public protocol FirmwareCore: AnyObject {
    /// Descriptors and strings, as the device would answer them.
    var descriptors: DeviceDescriptors { get }

    /// A completed OUT transfer.
    func out(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> [FirmwareEffect]

    /// A class or vendor control request. Standard requests never reach the core.
    func control(_ setup: SetupPacket, data: [UInt8], at now: Duration) -> (
        reply: ControlReply, effects: [FirmwareEffect]
    )

    /// When the core next has something to do of its own accord.
    var nextDue: Duration? { get }

    /// Time has passed: emits every delayed effect that is due.
    func advance(to now: Duration) -> [FirmwareEffect]

    /// The host cleared a halt (CLEAR_FEATURE(ENDPOINT_HALT)).
    func haltCleared(on endpoint: UInt8)

    /// The device was plugged in (again): volatile state is gone.
    func powerCycled()

    /// A steering command in words, for example `remove`, `insert visa-credit`, `fault 7 stall`. Answers nil on success,
    /// else a sentence that says what it did not understand.
    func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [FirmwareEffect])
}

public enum FirmwareEffect: Sendable, Hashable {
    /// Device-to-host bytes on an IN endpoint: full packets, then a short one. When the size is a multiple of
    /// wMaxPacketSize (zero included) a zero-length packet ends the transfer only if `zeroLengthPacket` is set;
    /// empty bytes are always one zero-length packet.
    case data(endpoint: UInt8, bytes: [UInt8], zeroLengthPacket: Bool)
    /// The endpoint stalls until the host clears it.
    case halt(endpoint: UInt8)
    /// The device leaves the bus.
    case unplug
    /// The device comes back, with a new device number.
    case plug
}

/// The eight bytes that begin a control transfer (USB 2.0, 9.3).
public struct SetupPacket: Sendable, Hashable {
    public var requestType: UInt8
    public var request: UInt8
    public var value: UInt16
    public var index: UInt16
    public var length: UInt16

    public init(requestType: UInt8, request: UInt8, value: UInt16, index: UInt16, length: UInt16) {
        self.requestType = requestType
        self.request = request
        self.value = value
        self.index = index
        self.length = length
    }
}

public enum ControlReply: Sendable, Hashable {
    /// Data stage of a device-to-host request.
    case data([UInt8])
    /// Status stage only.
    case accepted
    case stall
}

/// Descriptors as bytes, written once and used by every rung.
public struct DeviceDescriptors: Sendable, Hashable {
    /// The 18-byte device descriptor.
    public var device: [UInt8]
    /// One configuration with everything in it (wTotalLength bytes).
    public var configuration: [UInt8]
    /// String descriptors 1, 2, 3 … as text.
    public var strings: [String]
    /// Megabits per second as sysfs writes it: "1.5", "12", "480".
    public var speed: String

    public init(device: [UInt8], configuration: [UInt8], strings: [String], speed: String) {
        self.device = device
        self.configuration = configuration
        self.strings = strings
        self.speed = speed
    }

    /// wMaxPacketSize of an endpoint, read from the configuration; nil when there is no such endpoint.
    public func maxPacketSize(of endpoint: UInt8) -> Int? {
        var index = 0
        while index + 1 < configuration.count {
            let length = Int(configuration[index])
            guard length >= 2, index + length <= configuration.count else { return nil }
            if configuration[index + 1] == 0x05, length >= 7, configuration[index + 2] == endpoint {
                return Int(configuration[index + 4]) | Int(configuration[index + 5] & 0x07) << 8
            }
            index += length
        }
        return nil
    }

    public var vendorId: UInt16 { UInt16(device[8]) | UInt16(device[9]) << 8 }
    public var productId: UInt16 { UInt16(device[10]) | UInt16(device[11]) << 8 }
}
