/// The USB side of one family of USB-serial chips: descriptors, control requests, and how the line's bytes travel. It
/// follows the chip's documents and drivers of others, not this product's.
public protocol ChipCircuit: Sendable {
    var descriptors: DeviceDescriptors { get }
    var bulkOut: UInt8 { get }
    var bulkIn: UInt8 { get }
    var interruptIn: UInt8? { get }
    var line: ChipLine { get }

    /// A class or vendor request. One that the chip does not know, or that names another port, stalls.
    mutating func control(_ setup: SetupPacket, data: [UInt8], inputs: ChipInputs) -> ControlReply

    /// The bulk IN transfers that carry bytes from the line.
    func transfers(of bytes: [UInt8], inputs: ChipInputs) -> [FirmwareEffect]

    /// What the chip tells on its interrupt pipe when its inputs have changed.
    func notification(of inputs: ChipInputs) -> [UInt8]?

    /// A sign of life without bytes, for chips that give one.
    func idleTransfer(inputs: ChipInputs) -> FirmwareEffect?

    mutating func powerCycled()
}

extension ChipCircuit {
    public var interruptIn: UInt8? { nil }

    public func transfers(of bytes: [UInt8], inputs: ChipInputs) -> [FirmwareEffect] {
        [.data(endpoint: bulkIn, bytes: bytes, zeroLengthPacket: true)]
    }

    public func notification(of inputs: ChipInputs) -> [UInt8]? { nil }

    public func idleTransfer(inputs: ChipInputs) -> FirmwareEffect? { nil }
}

/// Descriptors of the chips.
enum ChipDescriptors {
    static func word(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

    static func device(
        vendor: UInt16, product: UInt16, release: UInt16, deviceClass: UInt8 = 0, controlPacket: UInt8 = 64
    ) -> [UInt8] {
        [18, 0x01, 0x00, 0x02, deviceClass, 0, 0, controlPacket] + word(vendor) + word(product) + word(release)
            + [1, 2, 3, 1]
    }

    static func configuration(interfaces: UInt8, _ rest: [UInt8]) -> [UInt8] {
        [9, 0x02] + word(UInt16(9 + rest.count)) + [interfaces, 1, 0, 0x80, 50] + rest
    }

    static func vendorInterface(_ number: UInt8, endpoints: UInt8) -> [UInt8] {
        [9, 0x04, number, 0, endpoints, 0xFF, 0xFF, 0xFF, 0]
    }

    static func bulk(_ endpoint: UInt8, _ size: UInt16) -> [UInt8] {
        [7, 0x05, endpoint, 0x02] + word(size) + [0]
    }

    static func interrupt(_ endpoint: UInt8, _ size: UInt16) -> [UInt8] {
        [7, 0x05, endpoint, 0x03] + word(size) + [1]
    }
}

/// The line coding of CDC, which the PL2303 shares.
struct ChipLineCoding: Sendable {
    var bytes: [UInt8] = [0x00, 0xC2, 0x01, 0x00, 0, 0, 8]

    /// The first four bytes, little endian.
    var word: UInt64 { bytes[0..<4].reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    var format: String? {
        ChipLine.format(bits: Int(bytes[6]), parity: Int(bytes[5]), twoStopBits: bytes[4] == 2)
    }
}
