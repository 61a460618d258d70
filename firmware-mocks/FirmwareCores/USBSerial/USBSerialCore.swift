/// A USB-serial chip with the firmware of a device behind it: any chip, any device.
///
/// Steering: `stall N` (the N-th control request from now), `halt in`, `halt out`, `inputs [cts] [dsr] [ri] [dcd]`, `idle N`
/// (signs of life without bytes), `torn` (a transfer that breaks the chip's own rules), `line HEX` (the device says
/// something); everything else is the firmware's.
public final class USBSerialCore: FirmwareCore {
    /// A class or vendor request as it came.
    public struct Request: Sendable, Hashable {
        public var setup: SetupPacket
        public var data: [UInt8]
    }

    public let firmware: any SerialFirmware
    private var circuit: any ChipCircuit
    private let hasLoopback: Bool
    /// What the chip says in the place of its own.
    private let serial: String?
    /// The only speed that the device understands; nil: every one.
    private let deviceSpeed: Int?
    private var inputs = ChipInputs()
    private var stallsIn: Int?
    private var haltsOut = false
    /// The newest requests, oldest first.
    public private(set) var requests: [Request] = []

    private static let mostRequests = 4096

    /// - Parameters:
    ///   - hasLoopback: the plug leads RTS back to CTS, and DTR to DSR and DCD.
    ///   - serial: the chip's serial number, else its own.
    ///   - deviceSpeed: bits per second; what comes at another speed is noise to the device.
    public init(
        _ circuit: any ChipCircuit, firmware: any SerialFirmware, hasLoopback: Bool = false, serial: String? = nil,
        deviceSpeed: Int? = nil
    ) {
        self.serial = serial
        self.deviceSpeed = deviceSpeed
        self.circuit = circuit
        self.firmware = firmware
        self.hasLoopback = hasLoopback
    }

    public var descriptors: DeviceDescriptors {
        var descriptors = circuit.descriptors
        if let serial { descriptors.strings[2] = serial }
        return descriptors
    }
    public var line: ChipLine { circuit.line }

    public func out(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> [FirmwareEffect] {
        guard endpoint == circuit.bulkOut else { return [] }
        if haltsOut {
            haltsOut = false
            return [.halt(endpoint: endpoint)]
        }
        guard circuit.line.isOpen, !bytes.isEmpty, isUnderstood else { return [] }
        return effects(firmware.receive(bytes, at: now))
    }

    public func control(_ setup: SetupPacket, data: [UInt8], at now: Duration) -> (
        reply: ControlReply, effects: [FirmwareEffect]
    ) {
        if requests.count == Self.mostRequests { requests.removeFirst() }
        requests.append(Request(setup: setup, data: data))
        if let left = stallsIn {
            stallsIn = left > 1 ? left - 1 : nil
            if left == 1 { return (.stall, []) }
        }
        let reply = circuit.control(setup, data: data, inputs: inputs)
        return (reply, hasLoopback ? loopBack() : [])
    }

    /// A receiver bears a difference of some percent.
    private var isUnderstood: Bool {
        deviceSpeed.map { abs($0 - circuit.line.baud) * 100 <= 3 * $0 } ?? true
    }

    private func loopBack() -> [FirmwareEffect] {
        var looped = inputs
        looped.isCTS = circuit.line.isRTS
        looped.isDSR = circuit.line.isDTR
        looped.isDCD = circuit.line.isDTR
        guard looped != inputs else { return [] }
        inputs = looped
        return notification()
    }

    public var nextDue: Duration? { firmware.nextDue }

    public func advance(to now: Duration) -> [FirmwareEffect] { effects(firmware.advance(to: now)) }

    public func haltCleared(on endpoint: UInt8) {}

    public func powerCycled() {
        circuit.powerCycled()
        firmware.powerCycled()
        stallsIn = nil
        haltsOut = false
    }

    public func steer(_ command: String, at now: Duration) -> (complaint: String?, effects: [FirmwareEffect]) {
        let words = command.split(separator: " ")
        switch (words.first, words.count) {
        case ("stall", 2):
            guard let number = Int(words[1]), number > 0 else { return ("`stall` needs a number from 1", []) }
            stallsIn = number
            return (nil, [])
        case ("halt", 2) where words[1] == "in":
            return (nil, [.halt(endpoint: circuit.bulkIn)])
        case ("halt", 2) where words[1] == "out":
            haltsOut = true
            return (nil, [])
        case ("inputs", _):
            guard let inputs = ChipInputs(words: words.dropFirst()) else {
                return ("`inputs` takes cts, dsr, ri and dcd", [])
            }
            self.inputs = inputs
            return (nil, notification())
        case ("idle", 2):
            guard let count = Int(words[1]), (1...1000).contains(count) else {
                return ("`idle` needs a number from 1 to 1000", [])
            }
            guard let idle = circuit.idleTransfer(inputs: inputs) else {
                return ("this chip gives no sign of life", [])
            }
            return (nil, Array(repeating: idle, count: count))
        case ("torn", 1):
            return (nil, [.data(endpoint: circuit.bulkIn, bytes: [0x01], zeroLengthPacket: false)])
        case ("line", 2):
            guard let bytes = bytes(fromHexadecimal: words[1]) else { return ("`line` needs hexadecimal bytes", []) }
            return (nil, effects([.bytes(bytes)]))
        default:
            let (complaint, effects) = firmware.steer(command, at: now)
            return (complaint, self.effects(effects))
        }
    }

    private func notification() -> [FirmwareEffect] {
        guard let endpoint = circuit.interruptIn, let bytes = circuit.notification(of: inputs) else { return [] }
        return [.data(endpoint: endpoint, bytes: bytes, zeroLengthPacket: false)]
    }

    private func effects(_ effects: [SerialEffect]) -> [FirmwareEffect] {
        effects.flatMap { effect -> [FirmwareEffect] in
            switch effect {
            case .bytes(let bytes):
                circuit.line.isOpen && !bytes.isEmpty ? circuit.transfers(of: bytes, inputs: inputs) : []
            case .unplug: [.unplug]
            case .plug: [.plug]
            }
        }
    }
}
