/// A WCH CH340: packets of 32 bytes, registers of eight bits that are read and written in pairs.
public struct CH34xCircuit: ChipCircuit {
    public let bulkOut: UInt8 = 0x02
    public let bulkIn: UInt8 = 0x82
    public let interruptIn: UInt8? = 0x81
    private var registers: [UInt8: UInt8] = Self.fresh
    private var handshake: UInt8 = 0xFF
    private var isInitialised = false

    private static let fresh: [UInt8: UInt8] = [0x05: 0x01, 0x18: 0xC3]

    public init() {}

    public var descriptors: DeviceDescriptors {
        DeviceDescriptors(
            device: ChipDescriptors.device(
                vendor: 0x1A86, product: 0x7523, release: 0x0264, deviceClass: 0xFF, controlPacket: 8),
            configuration: ChipDescriptors.configuration(
                interfaces: 1,
                ChipDescriptors.vendorInterface(0, endpoints: 3) + ChipDescriptors.bulk(bulkIn, 32)
                    + ChipDescriptors.bulk(bulkOut, 32) + ChipDescriptors.interrupt(0x81, 8)),
            strings: ["QinHeng", "USB Serial", "H0001"], speed: "12")
    }

    public var line: ChipLine {
        var line = ChipLine()
        let control = register(0x18)
        line.isOpen = isInitialised && control & 0x80 != 0
        let prescaler = register(0x12)
        if prescaler & 0x80 != 0 {
            // 48 MHz through three dividers by eight, one by two, and the divisor.
            let clock = 48e6 / 4096 * [1, 8, 64, 512][Int(prescaler & 3)] * (prescaler & 4 == 0 ? 1 : 2)
            line.baud = Int((clock / Double(256 - Int(register(0x13)))).rounded())
        }
        let parity = control & 0x08 == 0 ? 0 : [1, 2, 3, 4][Int(control >> 4 & 3)]
        line.format =
            ChipLine.format(bits: 5 + Int(control & 3), parity: parity, twoStopBits: control & 4 != 0) ?? ""
        line.isDTR = handshake & 0x20 == 0
        line.isRTS = handshake & 0x40 == 0
        line.isBreak = register(0x05) & 1 == 0 && control & 0x40 == 0
        return line
    }

    private func register(_ number: UInt8) -> UInt8 { registers[number] ?? 0 }

    public mutating func control(_ setup: SetupPacket, data: [UInt8], inputs: ChipInputs) -> ControlReply {
        let (low, high) = (UInt8(setup.value & 0xFF), UInt8(setup.value >> 8))
        switch (setup.requestType, setup.request) {
        case (0xC0, 0x5F):
            return .data([0x30, 0x00])
        case (0xC0, 0x95):
            registers[0x06] = ~inputs.bits(cts: 0x01, dsr: 0x02, ri: 0x04, dcd: 0x08)
            registers[0x07] = 0xEE
            return .data([register(low), register(high)])
        case (0x40, 0x9A):
            registers[low] = UInt8(setup.index & 0xFF)
            registers[high] = UInt8(setup.index >> 8)
        case (0x40, 0xA1):
            isInitialised = setup.value == 0x501F && setup.index == 0xD90A
        case (0x40, 0xA4):
            handshake = low
        default:
            return .stall
        }
        return .accepted
    }

    public mutating func powerCycled() {
        registers = Self.fresh
        handshake = 0xFF
        isInitialised = false
    }
}
