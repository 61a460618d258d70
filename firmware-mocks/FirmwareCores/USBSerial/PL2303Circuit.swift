/// A Prolific PL2303.
public struct PL2303Circuit: ChipCircuit {
    public enum Model: String, Sendable, Hashable, CaseIterable {
        case oldest, classic, hxn
    }

    public let bulkOut: UInt8 = 0x02
    public let bulkIn: UInt8 = 0x83
    public let interruptIn: UInt8? = 0x81
    public private(set) var line = ChipLine()
    private let model: Model
    private var coding = ChipLineCoding()

    public init(_ model: Model = .classic) {
        self.model = model
        line.isOpen = model == .hxn
    }

    public var descriptors: DeviceDescriptors {
        DeviceDescriptors(
            device: ChipDescriptors.device(
                vendor: 0x067B, product: model == .hxn ? 0x23C3 : 0x2303, release: 0x0400,
                controlPacket: model == .oldest ? 8 : 64),
            configuration: ChipDescriptors.configuration(
                interfaces: 1,
                ChipDescriptors.vendorInterface(0, endpoints: 3) + ChipDescriptors.interrupt(0x81, 10)
                    + ChipDescriptors.bulk(bulkOut, 64) + ChipDescriptors.bulk(bulkIn, 64)),
            strings: ["Prolific Technology Inc.", "USB-Serial Controller", "P0001"], speed: "12")
    }

    public mutating func control(_ setup: SetupPacket, data: [UInt8], inputs: ChipInputs) -> ControlReply {
        switch (setup.requestType, setup.request) {
        case _ where setup.requestType & 0x7F == 0x21: return classRequest(setup, data)
        case (0xC0, 0x01) where model != .hxn: return .data([setup.value == 0x8484 ? 0x02 : 0x00])
        case (0x40, 0x01) where model != .hxn: return write(setup.value, setup.index)
        case (0x40, 0x80) where model == .hxn: return writeNewest(setup.value, setup.index)
        default: return .stall
        }
    }

    private mutating func classRequest(_ setup: SetupPacket, _ data: [UInt8]) -> ControlReply {
        guard setup.index == 0 else { return .stall }
        switch (setup.requestType, setup.request) {
        case (0x21, 0x20) where data.count == 7:
            let asked = ChipLineCoding(bytes: data)
            guard let format = asked.format else { return .stall }
            coding = asked
            line.format = format
            line.baud = speed(asked.word)
            return .accepted
        case (0xA1, 0x21):
            return .data(coding.bytes)
        case (0x21, 0x22):
            line.isDTR = setup.value & 1 != 0
            line.isRTS = setup.value & 2 != 0
            return .accepted
        case (0x21, 0x23):
            line.isBreak = setup.value != 0
            return .accepted
        default:
            return .stall
        }
    }

    /// With bit 31: 12 MHz times 32 over the mantissa in bits 0-8, over four to the power of bits 9-11.
    private func speed(_ word: UInt64) -> Int {
        guard model != .hxn, word & 0x8000_0000 != 0 else { return Int(word) }
        var speed = 384e6 / Double(max(word & 0x1FF, 1))
        for _ in 0..<(word >> 9 & 7) { speed /= 4 }
        return Int(speed.rounded())
    }

    private mutating func write(_ value: UInt16, _ index: UInt16) -> ControlReply {
        switch (value, index) {
        case (2, model == .oldest ? 0x24 : 0x44): line.isOpen = true
        case (0x0404, _), (0, 1), (1, 0): break
        case (0, 0): line.flow = .none
        case (0, model == .oldest ? 0x41 : 0x61): line.flow = .rtscts
        case (0, 0xC0): line.flow = .xonxoff
        case (8, 0): line.inputPurges += 1
        case (9, 0): line.outputPurges += 1
        default: return .stall
        }
        return .accepted
    }

    private mutating func writeNewest(_ value: UInt16, _ index: UInt16) -> ControlReply {
        switch (value, index & 0x1C) {
        case (0x0A, 0x1C): line.flow = .none
        case (0x0A, 0x18): line.flow = .rtscts
        case (0x0A, 0x0C): line.flow = .xonxoff
        case (0x07, _):
            if index & 1 != 0 { line.inputPurges += 1 }
            if index & 2 != 0 { line.outputPurges += 1 }
        default: return .stall
        }
        return .accepted
    }

    public func notification(of inputs: ChipInputs) -> [UInt8]? {
        [0xA1, 0x20, 0, 0, 0, 0, 2, 0, inputs.bits(cts: 0x80, dsr: 0x02, ri: 0x08, dcd: 0x01), 0]
    }

    public mutating func powerCycled() {
        line = ChipLine()
        line.isOpen = model == .hxn
        coding = ChipLineCoding()
    }
}
