/// A CDC-ACM function: communications interface 0 with notifications, data interface 1. Like much firmware it sends only
/// while DTR is up, and does not end a message that fills its packets by an empty one.
public struct CDCACMCircuit: ChipCircuit {
    public let bulkOut: UInt8 = 0x02
    public let bulkIn: UInt8 = 0x82
    public let interruptIn: UInt8? = 0x83
    public private(set) var line = ChipLine()
    private var coding = ChipLineCoding()
    private let product: String

    public init(product: String = "CDC Serial") {
        self.product = product
    }

    public var descriptors: DeviceDescriptors {
        let functional: [UInt8] = [
            5, 0x24, 0x00, 0x10, 0x01,  // header, CDC 1.10
            5, 0x24, 0x01, 0x00, 1,  // call management
            4, 0x24, 0x02, 0x06,  // line coding, line state, break
            5, 0x24, 0x06, 0, 1,  // union: 0 controls 1
        ]
        let control: [UInt8] = [9, 0x04, 0, 0, 1, 0x02, 0x02, 0x01, 0] + functional
        let data: [UInt8] = [9, 0x04, 1, 0, 2, 0x0A, 0, 0, 0]
        return DeviceDescriptors(
            device: ChipDescriptors.device(vendor: 0x1209, product: 0x0002, release: 0x0100, deviceClass: 0x02),
            configuration: ChipDescriptors.configuration(
                interfaces: 2,
                control + ChipDescriptors.interrupt(0x83, 16) + data + ChipDescriptors.bulk(bulkOut, 64)
                    + ChipDescriptors.bulk(bulkIn, 64)),
            strings: ["Mock Works", product, "C0001"], speed: "12")
    }

    public mutating func control(_ setup: SetupPacket, data: [UInt8], inputs: ChipInputs) -> ControlReply {
        guard setup.index == 0 else { return .stall }
        switch (setup.requestType, setup.request) {
        case (0x21, 0x20) where data.count == 7:
            let asked = ChipLineCoding(bytes: data)
            guard let format = asked.format else { return .stall }
            coding = asked
            line.baud = Int(asked.word)
            line.format = format
            return .accepted
        case (0xA1, 0x21):
            return .data(coding.bytes)
        case (0x21, 0x22):
            line.isDTR = setup.value & 1 != 0
            line.isRTS = setup.value & 2 != 0
            line.isOpen = line.isDTR
            return .accepted
        case (0x21, 0x23):
            line.isBreak = setup.value != 0
            return .accepted
        default:
            return .stall
        }
    }

    public func transfers(of bytes: [UInt8], inputs: ChipInputs) -> [FirmwareEffect] {
        [.data(endpoint: bulkIn, bytes: bytes, zeroLengthPacket: false)]
    }

    public func notification(of inputs: ChipInputs) -> [UInt8]? {
        [0xA1, 0x20, 0, 0, 0, 0, 2, 0, inputs.bits(cts: 0, dsr: 0x02, ri: 0x08, dcd: 0x01), 0]
    }

    public mutating func powerCycled() {
        line = ChipLine()
        coding = ChipLineCoding()
    }
}
