/// A byte-stream device on USB: a CDC-ACM function (USB CDC PSTN 1.2) with the firmware behind its data interface. The
/// host's line settings are kept and change nothing. In process it is also how a serial firmware gets its bus side.
public final class SerialUSBCore: FirmwareCore {
    /// What the device calls itself.
    public struct Identity: Sendable, Hashable {
        public var vendorId: UInt16
        public var productId: UInt16
        public var manufacturer: String
        public var product: String
        public var serial: String

        public init(vendorId: UInt16, productId: UInt16, manufacturer: String, product: String, serial: String) {
            self.vendorId = vendorId
            self.productId = productId
            self.manufacturer = manufacturer
            self.product = product
            self.serial = serial
        }

        /// No product of anybody: for tests in process.
        public static let nobody = Identity(
            vendorId: 0xFFFF, productId: 0x0001, manufacturer: "Mock Works", product: "Serial Line", serial: "S0001")
    }

    public static let bulkOut: UInt8 = 0x02
    public static let bulkIn: UInt8 = 0x82
    static let interruptIn: UInt8 = 0x83

    /// What the host did to the line, as it came: SET_LINE_CODING (20), SET_CONTROL_LINE_STATE (22), SEND_BREAK (23). The
    /// last 64.
    public private(set) var lineRequests: [LineRequest] = []

    public struct LineRequest: Sendable, Hashable {
        public let request: UInt8
        /// Control lines: bit 0 DTR, bit 1 RTS.
        public let value: UInt16
        /// dwDTERate (4, little-endian), stop bits, parity, data bits.
        public let data: [UInt8]
    }

    public let firmware: any SerialFirmware
    public let descriptors: DeviceDescriptors
    /// SET_LINE_CODING: 115200 8N1 until the host says otherwise.
    private var lineCoding: [UInt8] = [0x00, 0xC2, 0x01, 0x00, 0, 0, 8]

    public init(_ firmware: any SerialFirmware, as identity: Identity = .nobody) {
        self.firmware = firmware
        descriptors = Self.describe(identity)
    }

    public func out(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> [FirmwareEffect] {
        guard endpoint == Self.bulkOut, !bytes.isEmpty else { return [] }
        return firmware.receive(bytes, at: now).map(Self.effect)
    }

    public func control(_ setup: SetupPacket, data: [UInt8], at now: Duration) -> (
        reply: ControlReply, effects: [FirmwareEffect]
    ) {
        if setup.requestType == 0x21, (0x20...0x23).contains(setup.request), setup.request != 0x21 {
            lineRequests.append(LineRequest(request: setup.request, value: setup.value, data: data))
            lineRequests.removeFirst(max(0, lineRequests.count - 64))
        }
        switch (setup.requestType, setup.request) {
        case (0x21, 0x20) where data.count == 7:
            lineCoding = data
            return (.accepted, [])
        case (0xA1, 0x21): return (.data(lineCoding), [])
        case (0x21, 0x22), (0x21, 0x23): return (.accepted, [])
        default: return (.stall, [])
        }
    }

    public var nextDue: Duration? { firmware.nextDue }

    public func advance(to now: Duration) -> [FirmwareEffect] { firmware.advance(to: now).map(Self.effect) }

    public func haltCleared(on endpoint: UInt8) {}

    public func powerCycled() { firmware.powerCycled() }

    public func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [FirmwareEffect]) {
        let (complaint, effects) = firmware.steer(command, at: now)
        return (complaint, effects.map(Self.effect))
    }

    private static func effect(_ effect: SerialEffect) -> FirmwareEffect {
        switch effect {
        case .bytes(let bytes): .data(endpoint: bulkIn, bytes: bytes, zeroLengthPacket: true)
        case .unplug: .unplug
        case .plug: .plug
        }
    }

    private static func describe(_ identity: Identity) -> DeviceDescriptors {
        func word(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
        let functional: [UInt8] = [
            5, 0x24, 0x00, 0x10, 0x01, 5, 0x24, 0x01, 0x00, 1, 4, 0x24, 0x02, 0x02, 5, 0x24, 0x06, 0, 1,
        ]
        let control: [UInt8] = [9, 0x04, 0, 0, 1, 0x02, 0x02, 0x01, 0] + functional
        let notices: [UInt8] = [7, 0x05, interruptIn, 0x03, 8, 0, 16]
        let data: [UInt8] = [9, 0x04, 1, 0, 2, 0x0A, 0x00, 0x00, 0]
        let pipes: [UInt8] = [7, 0x05, bulkOut, 0x02, 64, 0, 0, 7, 0x05, bulkIn, 0x02, 64, 0, 0]
        let rest = control + notices + data + pipes
        return DeviceDescriptors(
            device: [18, 0x01, 0x00, 0x02, 0x02, 0x00, 0x00, 64] + word(identity.vendorId) + word(identity.productId)
                + [0x00, 0x01, 1, 2, 3, 1],
            configuration: [9, 0x02] + word(UInt16(9 + rest.count)) + [2, 1, 0, 0x80, 50] + rest,
            strings: [identity.manufacturer, identity.product, identity.serial], speed: "12")
    }
}
