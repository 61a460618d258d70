/// A Silicon Labs CP2102.
public struct CP210xCircuit: ChipCircuit {
    public let bulkOut: UInt8 = 0x01
    public let bulkIn: UInt8 = 0x82
    public private(set) var line = ChipLine()

    /// What a CP2102 makes at most, bits per second; it stalls a request for more.
    private static let fastest = 1_000_000

    public init() {}

    public var descriptors: DeviceDescriptors {
        DeviceDescriptors(
            device: ChipDescriptors.device(vendor: 0x10C4, product: 0xEA60, release: 0x0100),
            configuration: ChipDescriptors.configuration(
                interfaces: 1,
                ChipDescriptors.vendorInterface(0, endpoints: 2) + ChipDescriptors.bulk(bulkIn, 64)
                    + ChipDescriptors.bulk(bulkOut, 64)),
            strings: ["Silicon Labs", "CP2102 USB to UART Bridge Controller", "0001"], speed: "12")
    }

    public mutating func control(_ setup: SetupPacket, data: [UInt8], inputs: ChipInputs) -> ControlReply {
        guard setup.index == 0 else { return .stall }
        switch (setup.requestType, setup.request) {
        case (0x41, 0x00):
            line.isOpen = setup.value == 1
        case (0x41, 0x1E) where data.count == 4:
            let speed = Int(data.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
            guard (1...Self.fastest).contains(speed) else { return .stall }
            let scaled = speed * (speed <= 365 ? 4 : 1)
            line.baud = Int((24e6 / (24e6 / Double(scaled)).rounded() / (speed <= 365 ? 4 : 1)).rounded())
        case (0x41, 0x03):
            guard
                let format = ChipLine.format(
                    bits: Int(setup.value >> 8), parity: Int(setup.value >> 4 & 0xF),
                    twoStopBits: setup.value & 0xF == 2)
            else { return .stall }
            line.format = format
        case (0x41, 0x13) where data.count == 16: return setFlow(data)
        case (0x41, 0x19) where data.count == 6: break
        case (0x41, 0x07):
            if setup.value & 0x0100 != 0 { line.isDTR = setup.value & 1 != 0 }
            if setup.value & 0x0200 != 0 { line.isRTS = setup.value & 2 != 0 }
        case (0x41, 0x05): line.isBreak = setup.value == 1
        case (0x41, 0x12):
            if setup.value & 0x0A != 0 { line.inputPurges += 1 }
            if setup.value & 0x05 != 0 { line.outputPurges += 1 }
        case (0xC1, 0x08):
            let outputs: UInt8 = (line.isDTR ? 1 : 0) | (line.isRTS ? 2 : 0)
            return .data([outputs | inputs.bits(cts: 0x10, dsr: 0x20, ri: 0x40, dcd: 0x80)])
        case (0xC1, 0x10):
            return .data([UInt8](repeating: 0, count: 19))
        default:
            return .stall
        }
        return .accepted
    }

    private mutating func setFlow(_ data: [UInt8]) -> ControlReply {
        switch (data[0] & 0x08, data[4] & 0xC3) {
        case (0, let replace) where replace & 0x83 == 0: line.flow = .none
        case (0x08, 0x80): line.flow = .rtscts
        case (0, let replace) where replace & 0x83 == 3: line.flow = .xonxoff
        default: return .stall
        }
        return .accepted
    }

    public mutating func powerCycled() { line = ChipLine() }
}
