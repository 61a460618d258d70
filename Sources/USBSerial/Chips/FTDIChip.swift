public import Transport

/// One port of an FTDI chip. Its requests are of the vendor (40 out, C0 in) and name the port, from 1.
public struct FTDIChip: SerialChip, Hashable {
    public enum Model: String, Sendable, Hashable, CaseIterable {
        case ft232R = "FT232R"
        case ft2232D = "FT2232D"
        case ft2232H = "FT2232H"
        case ft4232H = "FT4232H"
        case ft232H = "FT232H"
        case ftX = "FT-X"

        var hasFastClock: Bool { self == .ft2232H || self == .ft4232H || self == .ft232H }

        /// Whether the speed request names the port too: the H types and the parts with several ports.
        var namesPortWithSpeed: Bool { hasFastClock || self == .ft2232D }
    }

    public let model: Model
    /// From 0.
    public let port: UInt8

    public init(_ model: Model, port: UInt8 = 0) {
        self.model = model
        self.port = port
    }

    public var name: String { "FTDI \(model.rawValue)" }

    private var index: UInt16 { UInt16(port) + 1 }

    public func kept(_ settings: SerialSettings) throws(SerialChipRefusal) -> SerialSettings {
        guard settings.dataBits == .seven || settings.dataBits == .eight else {
            throw refuse("\(settings.dataBits.rawValue) data bits: it has 7 and 8")
        }
        var kept = settings
        kept.baud = try divisor(settings.baud).rate.rounded
        return kept
    }

    private func divisor(_ baud: BaudRate) throws(SerialChipRefusal) -> FTDIDivisor {
        try FTDIDivisor(for: baud, hasFastClock: model.hasFastClock, on: name)
    }

    /// Reset, outputs, flow control, latency timer, speed, format.
    public func opening(
        _ settings: SerialSettings, outputs: ModemOutputs
    ) throws(SerialChipRefusal) -> [ControlRequest] {
        let configuring = try configuring(settings, outputs: outputs)
        return [out(0, 0)] + setting(outputs, changed: [.dtr, .rts]) + configuring + [out(9, Self.latency)]
    }

    public func configuring(
        _ settings: SerialSettings, outputs: ModemOutputs
    ) throws(SerialChipRefusal) -> [ControlRequest] {
        let kept = try kept(settings)
        let divisor = try divisor(settings.baud)
        let speedIndex = model.namesPortWithSpeed ? divisor.index << 8 | index : divisor.index
        return [
            flow(settings.flow),
            ControlRequest(requestType: 0x40, request: 3, value: divisor.value, index: speedIndex),
            out(4, format(kept)),
        ]
    }

    /// How long a packet that is not full waits for more, milliseconds; the chip's own default.
    static let latency: UInt16 = 16

    /// Bits, parity in bits 8-10, stop bits in 11-12, break in 14.
    private func format(_ settings: SerialSettings, isBreak: Bool = false) -> UInt16 {
        UInt16(settings.dataBits.rawValue) | UInt16(settings.parity.number) << 8
            | (settings.stopBits == .two ? 0x1000 : 0) | (isBreak ? 0x4000 : 0)
    }

    /// The kind in the index's high byte; for XON/XOFF the two characters in the value.
    private func flow(_ flow: SerialSettings.FlowControl) -> ControlRequest {
        switch flow {
        case .none: out(2, 0)
        case .rtscts: out(2, 0, index: 0x0100 | index)
        case .xonxoff: out(2, 0x1311, index: 0x0400 | index)
        }
    }

    /// The mask in the high byte, the levels in the low one.
    public func setting(_ outputs: ModemOutputs, changed: ModemOutputs) -> [ControlRequest] {
        outputMasks(outputs, changed: changed).map { out(1, $0) }
    }

    public func breaking(_ isOn: Bool, in settings: SerialSettings, registers: [UInt8]) -> [ControlRequest] {
        [out(4, format(settings, isBreak: isOn))]
    }

    public func purging(_ buffers: SerialBuffers) -> [ControlRequest] {
        (buffers.contains(.input) ? [out(0, 1)] : []) + (buffers.contains(.output) ? [out(0, 2)] : [])
    }

    public func closing() -> [ControlRequest] {
        setting([], changed: [.dtr, .rts])
    }

    public var statusSource: ModemStatusSource { .request(statusRequest) }

    /// Two bytes: modem status, then line status.
    private var statusRequest: ControlRequest {
        ControlRequest(requestType: 0xC0, request: 5, value: 0, index: index, expectedLength: 2)
    }

    public func inputs(in status: [UInt8]) -> ModemInputs? {
        status.count == 2 ? ModemInputs(highNibble: status[0]) : nil
    }

    public var outputRequest: ControlRequest? { statusRequest }

    /// Bit 6 of the line status: holding and shift register empty (TEMT).
    public func isOutputEmpty(in answer: [UInt8]) -> Bool {
        answer.count == 2 && answer[1] & 0x40 != 0
    }

    /// The chip ends every transfer by a packet that is not full, at the latest when its latency timer is over.
    public func transferSize(packetSize: Int) -> Int {
        max(4096 / max(packetSize, 1), 1) * packetSize
    }

    public func payload(of transfer: [UInt8], packetSize: Int) throws(SerialChipRefusal) -> [UInt8] {
        try FTDIPackets.payload(of: transfer, packetSize: packetSize)
    }

    private func out(_ request: UInt8, _ value: UInt16, index: UInt16? = nil) -> ControlRequest {
        ControlRequest(requestType: 0x40, request: request, value: value, index: index ?? self.index)
    }
}
