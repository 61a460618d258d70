/// The device that exists only to drive the shared list of hardware checks: vendor class `1209:0001` with bulk OUT 0x02,
/// bulk IN 0x82 and interrupt IN 0x83. The first byte of an OUT transfer selects what it does:
///
/// | byte | behaviour |
/// |---|---|
/// | 01 + data | echoes the data on 0x82 |
/// | 02 n | n bytes of A5 on 0x82; n = 0 is a zero-length packet |
/// | 03 | halts 0x82 |
/// | 04 | silence |
/// | 05 | notification `50 03` on 0x83 |
/// | 06 | leaves the bus after 50 ms, comes back 300 ms later |
/// | 07 | `late` on 0x82 after 150 ms |
///
/// Control C0/01 answers `FW-1.2.3`, 40/02 accepts any data, every other vendor request stalls.
public final class ReferenceCore: FirmwareCore {
    public let descriptors: DeviceDescriptors
    private var scheduled: [(due: Duration, effect: FirmwareEffect)] = []

    /// - Parameter serialNumber: the third string descriptor; tells two otherwise identical readers apart.
    public init(serialNumber: String = "R0001") {
        descriptors = DeviceDescriptors(
            device: Self.deviceDescriptor,
            configuration: Self.configurationDescriptor,
            strings: ["Mock Works", "Card Reader", serialNumber],
            speed: "480"
        )
    }

    /// A core from the options of a device specification: `serial=TEXT`, 1 to 126 UTF-16 units.
    public static func make(options: [String: String]) throws(CoreOptionError) -> ReferenceCore {
        for key in options.keys.sorted() where key != "serial" {
            throw CoreOptionError("the family 'reference' has no option '\(key)'; known: serial")
        }
        guard let serial = options["serial"] else { return ReferenceCore() }
        guard (1...126).contains(serial.utf16.count) else {
            throw CoreOptionError("a serial number has 1 to 126 characters")
        }
        return ReferenceCore(serialNumber: serial)
    }

    public func out(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> [FirmwareEffect] {
        guard endpoint == Self.bulkOut, let command = bytes.first else { return [] }
        switch command {
        case 0x01:
            return [bulk(Array(bytes.dropFirst()))]
        case 0x02:
            return [bulk([UInt8](repeating: 0xA5, count: Int(bytes.dropFirst().first ?? 0)))]
        case 0x03:
            return [.halt(endpoint: Self.bulkIn)]
        case 0x05:
            return [.data(endpoint: Self.interruptIn, bytes: [0x50, 0x03], zeroLengthPacket: false)]
        case 0x06:
            schedule(.unplug, at: now + .milliseconds(50))
            schedule(.plug, at: now + .milliseconds(350))
            return []
        case 0x07:
            schedule(bulk(Array("late".utf8)), at: now + .milliseconds(150))
            return []
        default:
            return []
        }
    }

    public func control(_ setup: SetupPacket, data: [UInt8], at now: Duration) -> (
        reply: ControlReply, effects: [FirmwareEffect]
    ) {
        switch (setup.requestType, setup.request) {
        case (0xC0, 0x01): (.data(Array("FW-1.2.3".utf8)), [])
        case (0x40, 0x02): (.accepted, [])
        default: (.stall, [])
        }
    }

    public var nextDue: Duration? { scheduled.first?.due }

    public func advance(to now: Duration) -> [FirmwareEffect] {
        let due = scheduled.prefix { $0.due <= now }
        scheduled.removeFirst(due.count)
        return due.map(\.effect)
    }

    public func haltCleared(on endpoint: UInt8) {}

    public func powerCycled() {
        scheduled = []
    }

    public func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [FirmwareEffect]) {
        ("the reference reader does not understand '\(command)'", [])
    }

    private func bulk(_ bytes: [UInt8]) -> FirmwareEffect {
        .data(endpoint: Self.bulkIn, bytes: bytes, zeroLengthPacket: false)
    }

    /// Keeps the list in order of time; effects that are due together keep the order they were asked for in.
    private func schedule(_ effect: FirmwareEffect, at due: Duration) {
        let place = scheduled.firstIndex { $0.due > due } ?? scheduled.endIndex
        scheduled.insert((due, effect), at: place)
    }
}

extension ReferenceCore {
    /// The endpoint that takes commands.
    public static let bulkOut: UInt8 = 0x02
    /// The endpoint that answers.
    public static let bulkIn: UInt8 = 0x82
    /// The endpoint that notifies.
    public static let interruptIn: UInt8 = 0x83

    private static let deviceDescriptor: [UInt8] = [
        18, 0x01, 0x00, 0x02,  // USB 2.00
        0xFF, 0x00, 0x00, 64,  // vendor class; 64-byte control packets
        0x09, 0x12, 0x01, 0x00, 0x00, 0x01,  // 1209:0001, release 1.00
        1, 2, 3, 1,  // strings; one configuration
    ]

    private static let configurationDescriptor: [UInt8] = [
        9, 0x02, 39, 0, 1, 1, 0, 0x80, 50,  // one interface, bus powered, 100 mA
        9, 0x04, 0, 0, 3, 0xFF, 0x00, 0x00, 0,  // interface 0: three endpoints, vendor class
        7, 0x05, bulkOut, 0x02, 0x00, 0x02, 0,  // bulk, 512 bytes
        7, 0x05, bulkIn, 0x02, 0x00, 0x02, 0,  // bulk, 512 bytes
        7, 0x05, interruptIn, 0x03, 8, 0, 4,  // interrupt, 8 bytes, every 2^(4-1) microframes
    ]
}
