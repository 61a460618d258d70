public import Transport

/// A Prolific PL2303: CDC's requests without its descriptors, and a few of the vendor (40 out, C0 in).
public struct PL2303Chip: SerialChip, Hashable {
    public enum Model: String, Sendable, Hashable, CaseIterable {
        /// Device class 02, or control packets of less than 64 bytes.
        case oldest = "PL2303H"
        case classic = "PL2303HX"
        /// Needs no preparation, takes any speed, and has requests of its own.
        case hxn = "PL2303HXN"
    }

    public let model: Model

    public init(_ model: Model) {
        self.model = model
    }

    public var name: String { "Prolific \(model.rawValue)" }

    public func kept(_ settings: SerialSettings) throws(SerialChipRefusal) -> SerialSettings {
        var kept = settings
        kept.baud = try rate(settings.baud).rate.rounded
        return kept
    }

    private func rate(_ baud: BaudRate) throws(SerialChipRefusal) -> PL2303Rate {
        guard model == .hxn else { return try PL2303Rate(for: baud, on: name) }
        try baud.require(1...12_000_000, on: name)
        return PL2303Rate(word: baud.bitsPerSecond)
    }

    /// Nobody outside its maker knows what these mean; every driver sends them.
    private var preparing: [ControlRequest] {
        guard model != .hxn else { return [] }
        return [
            read(0x8484), write(0x0404, 0), read(0x8484), read(0x8383), read(0x8484), write(0x0404, 1), read(0x8484),
            read(0x8383), write(0, 1), write(1, 0), write(2, model == .oldest ? 0x24 : 0x44),
        ]
    }

    public func opening(
        _ settings: SerialSettings, outputs: ModemOutputs
    ) throws(SerialChipRefusal) -> [ControlRequest] {
        let configuring = try configuring(settings, outputs: outputs)
        return preparing + configuring + setting(outputs, changed: [.dtr, .rts])
    }

    public func configuring(
        _ settings: SerialSettings, outputs: ModemOutputs
    ) throws(SerialChipRefusal) -> [ControlRequest] {
        let coding = LineCoding.bytes(try kept(settings), rate: try rate(settings.baud).littleEndian)
        return [out(0x20, data: coding), flow(settings.flow)]
    }

    private func flow(_ flow: SerialSettings.FlowControl) -> ControlRequest {
        if model == .hxn {
            switch flow {
            case .none: return write(0x0A, 0xFF)
            case .rtscts: return write(0x0A, 0xFA)
            case .xonxoff: return write(0x0A, 0xEE)
            }
        }
        switch flow {
        case .none: return write(0, 0)
        case .rtscts: return write(0, model == .oldest ? 0x41 : 0x61)
        case .xonxoff: return write(0, 0xC0)
        }
    }

    public func setting(_ outputs: ModemOutputs, changed: ModemOutputs) -> [ControlRequest] {
        [out(0x22, value: UInt16(outputs.rawValue))]
    }

    public func breaking(_ isOn: Bool, in settings: SerialSettings, registers: [UInt8]) -> [ControlRequest] {
        [out(0x23, value: isOn ? 0xFFFF : 0)]
    }

    public func purging(_ buffers: SerialBuffers) -> [ControlRequest] {
        if model == .hxn {
            // Bit 0 what was received, bit 1 what is to be sent.
            return buffers.isEmpty ? [] : [write(0x07, UInt16(buffers.rawValue & 3))]
        }
        return (buffers.contains(.input) ? [write(0x08, 0)] : []) + (buffers.contains(.output) ? [write(0x09, 0)] : [])
    }

    public func closing() -> [ControlRequest] {
        setting([], changed: [.dtr, .rts])
    }

    public var settingsRequest: ControlRequest? {
        ControlRequest(requestType: 0xA1, request: 0x21, value: 0, index: 0, expectedLength: 7)
    }

    public func settings(in answer: [UInt8]) -> SerialSettings? {
        guard answer.count == 7 else { return nil }
        let word = answer[0..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let rate = model == .hxn ? word : PL2303Rate(word: word).rate.rounded.bitsPerSecond
        guard let baud = BaudRate(rate) else { return nil }
        return LineCoding.settings(in: baud.littleEndian + answer[4...])
    }

    public var statusSource: ModemStatusSource { .notifications }

    /// Ten bytes that begin with A1; in byte 8: 01 DCD, 02 DSR, 08 RI, 80 CTS.
    public func inputs(in status: [UInt8]) -> ModemInputs? {
        guard status.count == 10, status[0] == 0xA1 else { return nil }
        var inputs: ModemInputs = []
        if status[8] & 0x01 != 0 { inputs.insert(.dcd) }
        if status[8] & 0x02 != 0 { inputs.insert(.dsr) }
        if status[8] & 0x08 != 0 { inputs.insert(.ri) }
        if status[8] & 0x80 != 0 { inputs.insert(.cts) }
        return inputs
    }

    private func out(_ request: UInt8, value: UInt16 = 0, data: [UInt8] = []) -> ControlRequest {
        ControlRequest(requestType: 0x21, request: request, value: value, index: 0, data: data)
    }

    private func read(_ value: UInt16) -> ControlRequest {
        ControlRequest(requestType: 0xC0, request: 0x01, value: value, index: 0, expectedLength: 1)
    }

    private func write(_ value: UInt16, _ index: UInt16) -> ControlRequest {
        ControlRequest(requestType: 0x40, request: model == .hxn ? 0x80 : 0x01, value: value, index: index)
    }
}
