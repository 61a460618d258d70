public import Transport

/// One port of a Silicon Labs CP210x (AN571). Its requests go to the interface (41 out, C1 in).
public struct CP210xChip: SerialChip, Hashable {
    public enum Model: String, Sendable, Hashable, CaseIterable {
        case cp2102 = "CP2102"
        case cp2105 = "CP2105"
        case cp2108 = "CP2108"
    }

    public let model: Model
    /// The interface number, from 0.
    public let port: UInt8

    public init(_ model: Model, port: UInt8 = 0) {
        self.model = model
        self.port = port
    }

    public var name: String { "Silicon Labs \(model.rawValue)" + (isRestricted ? " port 2" : "") }

    /// The "standard" port of a CP2105 knows fewer formats, and does not say so when it is given another.
    private var isRestricted: Bool { model == .cp2105 && port == 1 }

    public func kept(_ settings: SerialSettings) throws(SerialChipRefusal) -> SerialSettings {
        if isRestricted {
            guard settings.dataBits == .seven || settings.dataBits == .eight, settings.stopBits == .one,
                settings.parity != .mark, settings.parity != .space
            else { throw refuse("\(settings): it has 7 or 8 data bits, 1 stop bit and no mark or space parity") }
        }
        var kept = settings
        kept.baud = try rate(settings.baud).rounded
        return kept
    }

    /// The chip divides 24 MHz itself (AN571, SET_BAUDRATE), by four times as much up to 365 baud.
    public func rate(_ baud: BaudRate) throws(SerialChipRefusal) -> ChipRate {
        try baud.require(isRestricted ? 2400...921_600 : 300...3_000_000, on: name)
        let prescale: UInt64 = baud.bitsPerSecond <= 365 ? 4 : 1
        let step = prescale * UInt64(baud.bitsPerSecond)
        let rate = ChipRate(clock: 24_000_000, divisor: prescale * ((24_000_000 + step / 2) / step))
        return try rate.checked(for: baud, on: name)
    }

    public func opening(
        _ settings: SerialSettings, outputs: ModemOutputs
    ) throws(SerialChipRefusal) -> [ControlRequest] {
        let configuring = try configuring(settings, outputs: outputs)
        return [out(0x00, 1)] + configuring + setting(outputs, changed: [.dtr, .rts])
    }

    public func configuring(
        _ settings: SerialSettings, outputs: ModemOutputs
    ) throws(SerialChipRefusal) -> [ControlRequest] {
        let kept = try kept(settings)
        return [
            out(0x1E, 0, data: settings.baud.littleEndian),
            out(0x03, format(kept)),
        ] + flow(settings.flow, outputs: outputs)
    }

    /// SET_LINE_CTL: stop bits in bits 0-3 (2 = two), parity in 4-7, data bits in 8-15.
    private func format(_ settings: SerialSettings) -> UInt16 {
        UInt16(settings.dataBits.rawValue) << 8 | UInt16(settings.parity.number) << 4
            | (settings.stopBits == .two ? 2 : 0)
    }

    /// SET_FLOW: four words of 32 bits. In the first, bit 0 holds DTR and bit 3 makes CTS stop the output; in the second,
    /// bits 0 and 1 are XON/XOFF in both directions, bit 6 holds RTS and bit 7 gives it to the flow control; the others are
    /// the fill levels, bytes, at which XON and XOFF are sent.
    private func flow(_ flow: SerialSettings.FlowControl, outputs: ModemOutputs) -> [ControlRequest] {
        let dtr: UInt8 = outputs.contains(.dtr) ? 0x01 : 0
        let rts: UInt8 = outputs.contains(.rts) ? 0x40 : 0
        func words(_ handshake: UInt8, _ replace: UInt8, _ level: UInt8 = 0) -> ControlRequest {
            let data: [UInt8] = [handshake, 0, 0, 0, replace, 0, 0, 0, level, 0, 0, 0, level, 0, 0, 0]
            return out(0x13, 0, data: data)
        }
        switch flow {
        case .none: return [words(dtr, rts)]
        case .rtscts: return [words(dtr | 0x08, 0x80)]
        case .xonxoff:
            // SET_CHARS: end of file, error, break, event, XON, XOFF.
            return [out(0x19, 0, data: [0, 0, 0, 0, 0x11, 0x13]), words(dtr, rts | 0x03, 128)]
        }
    }

    /// SET_MHS: the mask in the high byte, the levels in the low one.
    public func setting(_ outputs: ModemOutputs, changed: ModemOutputs) -> [ControlRequest] {
        outputMasks(outputs, changed: changed).map { out(0x07, $0) }
    }

    public func breaking(_ isOn: Bool, in settings: SerialSettings, registers: [UInt8]) -> [ControlRequest] {
        [out(0x05, isOn ? 1 : 0)]
    }

    /// PURGE: bits 1 and 3 what was received, 0 and 2 what is to be sent.
    public func purging(_ buffers: SerialBuffers) -> [ControlRequest] {
        let value: UInt16 = (buffers.contains(.input) ? 0x0A : 0) | (buffers.contains(.output) ? 0x05 : 0)
        return value == 0 ? [] : [out(0x12, value)]
    }

    /// IFC_ENABLE 0 lets the interface, and its outputs, go.
    public func closing() -> [ControlRequest] {
        setting([], changed: [.dtr, .rts]) + [out(0x00, 0)]
    }

    /// GET_MDMSTS: the outputs in bits 0 and 1, the inputs in 4 to 7.
    public var statusSource: ModemStatusSource {
        .request(into(0x08, length: 1))
    }

    public func inputs(in status: [UInt8]) -> ModemInputs? {
        status.count == 1 ? ModemInputs(highNibble: status[0]) : nil
    }

    /// GET_COMM_STATUS: 19 bytes; at offset 8 the count of bytes that wait to go out.
    public var outputRequest: ControlRequest? { into(0x10, length: 19) }

    public func isOutputEmpty(in answer: [UInt8]) -> Bool {
        answer.count == 19 && answer[8..<12].allSatisfy { $0 == 0 }
    }

    private func out(_ request: UInt8, _ value: UInt16, data: [UInt8] = []) -> ControlRequest {
        ControlRequest(requestType: 0x41, request: request, value: value, index: UInt16(port), data: data)
    }

    private func into(_ request: UInt8, length: UInt16) -> ControlRequest {
        ControlRequest(
            requestType: 0xC1, request: request, value: 0, index: UInt16(port), expectedLength: length)
    }
}
