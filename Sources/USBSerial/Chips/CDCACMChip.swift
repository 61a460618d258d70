public import Transport

/// A CDC-ACM function (USB CDC PSTN 1.2): the serial port that needs no driver of its maker.
public struct CDCACMChip: SerialChip, Hashable {
    /// bInterfaceNumber of the communications interface (class 02, subclass 02), which the requests name.
    public let controlInterface: UInt8

    public init(controlInterface: UInt8) {
        self.controlInterface = controlInterface
    }

    public var name: String { "CDC-ACM" }

    public func kept(_ settings: SerialSettings) throws(SerialChipRefusal) -> SerialSettings {
        guard settings.flow == .none else { throw refuse("flow control: the class has no request for it") }
        return settings
    }

    public func opening(
        _ settings: SerialSettings, outputs: ModemOutputs
    ) throws(SerialChipRefusal) -> [ControlRequest] {
        try configuring(settings, outputs: outputs) + setting(outputs, changed: [.dtr, .rts])
    }

    /// SET_LINE_CODING, 6.3.10.
    public func configuring(
        _ settings: SerialSettings, outputs: ModemOutputs
    ) throws(SerialChipRefusal) -> [ControlRequest] {
        [out(0x20, data: LineCoding.bytes(try kept(settings)))]
    }

    /// SET_CONTROL_LINE_STATE, 6.3.12: bit 0 DTR, bit 1 RTS.
    public func setting(_ outputs: ModemOutputs, changed: ModemOutputs) -> [ControlRequest] {
        [out(0x22, value: UInt16(outputs.rawValue))]
    }

    /// SEND_BREAK, 6.3.13: FFFF begins one without end, 0 ends it.
    public func breaking(_ isOn: Bool, in settings: SerialSettings, registers: [UInt8]) -> [ControlRequest] {
        [out(0x23, value: isOn ? 0xFFFF : 0)]
    }

    public func purging(_ buffers: SerialBuffers) -> [ControlRequest] { [] }

    public func closing() -> [ControlRequest] {
        setting([], changed: [.dtr, .rts])
    }

    /// GET_LINE_CODING, 6.3.11.
    public var settingsRequest: ControlRequest? {
        ControlRequest(requestType: 0xA1, request: 0x21, value: 0, index: UInt16(controlInterface), expectedLength: 7)
    }

    public func settings(in answer: [UInt8]) -> SerialSettings? { LineCoding.settings(in: answer) }

    public var statusSource: ModemStatusSource { .notifications }

    /// SERIAL_STATE, 6.5.4: eight bytes A1 20 0000 wIndex 0200, then the state: bit 0 carrier (DCD), bit 1 DSR, bit 3
    /// ring. The class knows no CTS.
    public func inputs(in status: [UInt8]) -> ModemInputs? {
        guard status.count >= 10, status[0] == 0xA1, status[1] == 0x20 else { return nil }
        var inputs: ModemInputs = []
        if status[8] & 0x01 != 0 { inputs.insert(.dcd) }
        if status[8] & 0x02 != 0 { inputs.insert(.dsr) }
        if status[8] & 0x08 != 0 { inputs.insert(.ri) }
        return inputs
    }

    /// One packet: not every maker's firmware ends a message that fills its packets by an empty one, and a longer
    /// transfer would then wait for more. Such a device holds its bytes back itself.
    public func transferSize(packetSize: Int) -> Int { packetSize }

    private func out(_ request: UInt8, value: UInt16 = 0, data: [UInt8] = []) -> ControlRequest {
        ControlRequest(
            requestType: 0x21, request: request, value: value, index: UInt16(controlInterface), data: data)
    }
}
