/// An FTDI chip; of a chip with several ports the first one works. Every packet to the host begins with two status bytes.
public struct FTDICircuit: ChipCircuit {
    public enum Model: String, Sendable, Hashable, CaseIterable {
        case ft232r, ft2232d, ft2232h, ft4232h, ft232h, ftx

        /// Product number, release number, ports, packet size.
        fileprivate var facts: (product: UInt16, release: UInt16, ports: UInt8, packet: UInt16) {
            switch self {
            case .ft232r: (0x6001, 0x0600, 1, 64)
            case .ft2232d: (0x6010, 0x0500, 2, 64)
            case .ft2232h: (0x6010, 0x0700, 2, 512)
            case .ft4232h: (0x6011, 0x0800, 4, 512)
            case .ft232h: (0x6014, 0x0900, 1, 512)
            case .ftx: (0x6015, 0x1000, 1, 64)
            }
        }

        fileprivate var isHigh: Bool { facts.packet == 512 }
        /// Whether the speed request has the port in its low byte.
        fileprivate var speedHasPort: Bool { isHigh || self == .ft2232d }
    }

    public let bulkOut: UInt8 = 0x02
    public let bulkIn: UInt8 = 0x81
    public private(set) var line = ChipLine()
    private let model: Model
    private var latency: UInt8 = 16
    private var wasReset = false

    public init(_ model: Model = .ft232r) {
        self.model = model
    }

    public var descriptors: DeviceDescriptors {
        let facts = model.facts
        let interfaces = (0..<facts.ports).flatMap { number -> [UInt8] in
            ChipDescriptors.vendorInterface(number, endpoints: 2)
                + ChipDescriptors.bulk(0x81 + 2 * number, facts.packet)
                + ChipDescriptors.bulk(0x02 + 2 * number, facts.packet)
        }
        return DeviceDescriptors(
            device: ChipDescriptors.device(vendor: 0x0403, product: facts.product, release: facts.release),
            configuration: ChipDescriptors.configuration(interfaces: facts.ports, interfaces),
            strings: ["FTDI", "\(model.rawValue.uppercased()) USB UART", "A0001"], speed: model.isHigh ? "480" : "12")
    }

    public mutating func control(_ setup: SetupPacket, data: [UInt8], inputs: ChipInputs) -> ControlReply {
        switch (setup.requestType, setup.request) {
        case (0x40, 3): return setSpeed(setup)
        case (0x40, 2): return setFlow(setup)
        case _ where setup.index != 1: return .stall
        case (0x40, 0):
            switch setup.value {
            case 0: wasReset = true
            case 1: line.inputPurges += 1
            case 2: line.outputPurges += 1
            default: return .stall
            }
        case (0x40, 1):
            if setup.value & 0x0100 != 0 { line.isDTR = setup.value & 1 != 0 }
            if setup.value & 0x0200 != 0 { line.isRTS = setup.value & 2 != 0 }
        case (0x40, 4): return setFormat(setup.value)
        case (0x40, 9): latency = UInt8(truncatingIfNeeded: setup.value)
        case (0xC0, 10): return .data([latency])
        case (0xC0, 5): return .data(status(inputs))
        default: return .stall
        }
        return .accepted
    }

    private mutating func setSpeed(_ setup: SetupPacket) -> ControlReply {
        var index = setup.index
        if model.speedHasPort {
            guard index & 0xFF == 1 else { return .stall }
            index >>= 8
        }
        let isFast = index & 2 != 0
        guard index <= (model.isHigh ? 3 : 1) else { return .stall }
        let whole = Int(setup.value & 0x3FFF)
        let fraction = [0.0, 0.5, 0.25, 0.125, 0.375, 0.625, 0.75, 0.875][Int(setup.value >> 14 | (index & 1) << 2)]
        let divisor: Double
        switch (whole, fraction) {
        case (0, 0): divisor = 1
        case (1, 0): divisor = 1.5
        case (0...1, _): return .stall
        default: divisor = Double(whole) + fraction
        }
        line.baud = Int(((isFast ? 12_000_000.0 : 3_000_000.0) / divisor).rounded())
        line.isOpen = wasReset
        return .accepted
    }

    private mutating func setFlow(_ setup: SetupPacket) -> ControlReply {
        guard setup.index & 0xFF == 1 else { return .stall }
        switch (setup.index >> 8, setup.value) {
        case (0, 0): line.flow = .none
        case (1, _): line.flow = .rtscts
        case (4, 0x1311): line.flow = .xonxoff
        default: return .stall
        }
        return .accepted
    }

    private mutating func setFormat(_ value: UInt16) -> ControlReply {
        let bits = Int(value & 0xFF)
        guard bits == 7 || bits == 8,
            let format = ChipLine.format(
                bits: bits, parity: Int(value >> 8 & 7), twoStopBits: value >> 11 & 3 == 2)
        else { return .stall }
        line.format = format
        line.isBreak = value & 0x4000 != 0
        return .accepted
    }

    /// Modem status with its constant 1, line status: transmitter empty.
    private func status(_ inputs: ChipInputs) -> [UInt8] {
        [0x01 | inputs.bits(cts: 0x10, dsr: 0x20, ri: 0x40, dcd: 0x80), 0x60]
    }

    /// A sign of life, then the bytes in full packets and one that is not full.
    public func transfers(of bytes: [UInt8], inputs: ChipInputs) -> [FirmwareEffect] {
        let room = Int(model.facts.packet) - 2
        var packets: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            packets += status(inputs) + rest.prefix(room)
            rest = rest.dropFirst(room)
        }
        if bytes.count % room == 0 { packets += status(inputs) }
        let idle = idleTransfer(inputs: inputs).map { [$0] } ?? []
        return idle + [.data(endpoint: bulkIn, bytes: packets, zeroLengthPacket: false)]
    }

    public func idleTransfer(inputs: ChipInputs) -> FirmwareEffect? {
        .data(endpoint: bulkIn, bytes: status(inputs), zeroLengthPacket: false)
    }

    public mutating func powerCycled() {
        line = ChipLine()
        wasReset = false
    }
}
