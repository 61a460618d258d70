public import Transport

/// A WCH CH340 or CH341. Its requests are of the vendor (40 out, C0 in), without an index; 9A writes two registers at once
/// and 95 reads them.
public struct CH34xChip: SerialChip, Hashable {
    public init() {}

    public var name: String { "WCH CH34x" }

    public func kept(_ settings: SerialSettings) throws(SerialChipRefusal) -> SerialSettings {
        guard settings.flow == .none else { throw refuse("flow control") }
        var kept = settings
        kept.baud = try CH34xDivisor(for: settings.baud, on: name).rate.rounded
        return kept
    }

    /// The sequence of the vendor's driver, and the format at its end.
    public func opening(
        _ settings: SerialSettings, outputs: ModemOutputs
    ) throws(SerialChipRefusal) -> [ControlRequest] {
        let speed = try speed(settings.baud)
        let format = try format(settings)
        return [read(0x5F), out(0xA1)] + speed
            + [read(0x95, 0x2518), out(0x9A, 0x2518, 0x00C3), read(0x95, 0x0706), out(0xA1, 0x501F, 0xD90A)]
            + speed + setting(outputs, changed: [.dtr, .rts]) + [read(0x95, 0x0706), format]
    }

    public func configuring(
        _ settings: SerialSettings, outputs: ModemOutputs
    ) throws(SerialChipRefusal) -> [ControlRequest] {
        try speed(settings.baud) + [try format(settings)]
    }

    private func speed(_ baud: BaudRate) throws(SerialChipRefusal) -> [ControlRequest] {
        let divisor = try CH34xDivisor(for: baud, on: name)
        return [out(0x9A, 0x1312, divisor.clockAndDivisor), out(0x9A, 0x0F2C, divisor.fraction)]
    }

    /// The line control register 18: 80 receive, 40 send, 20 mark or space, 10 even, 08 parity, 04 two stop bits, and the
    /// data bits less five.
    private func format(_ settings: SerialSettings) throws(SerialChipRefusal) -> ControlRequest {
        let kept = try kept(settings)
        let parity: UInt16 =
            switch kept.parity {
            case .none: 0x00
            case .odd: 0x08
            case .even: 0x18
            case .mark: 0x28
            case .space: 0x38
            }
        let stop: UInt16 = kept.stopBits == .two ? 0x04 : 0
        return out(0x9A, 0x2518, 0x00C0 | parity | stop | UInt16(kept.dataBits.rawValue - 5))
    }

    /// Both at once, active low: 20 DTR, 40 RTS.
    public func setting(_ outputs: ModemOutputs, changed: ModemOutputs) -> [ControlRequest] {
        let bits: UInt16 = (outputs.contains(.dtr) ? 0x20 : 0) | (outputs.contains(.rts) ? 0x40 : 0)
        return [out(0xA4, ~bits)]
    }

    /// The registers 05 and 18.
    public var breakRegisters: ControlRequest? { read(0x95, 0x1805) }

    /// Bit 0 of register 05 and "send" of register 18 are off during a break, as in the kernel's driver.
    public func breaking(_ isOn: Bool, in settings: SerialSettings, registers: [UInt8]) -> [ControlRequest] {
        guard registers.count == 2 else { return [] }
        let present = UInt16(registers[0]) | UInt16(registers[1]) << 8
        return [out(0x9A, 0x1805, isOn ? present & ~0x4001 : present | 0x4001)]
    }

    public func purging(_ buffers: SerialBuffers) -> [ControlRequest] { [] }

    public func closing() -> [ControlRequest] {
        setting([], changed: [.dtr, .rts])
    }

    public var statusSource: ModemStatusSource { .request(read(0x95, 0x0706)) }

    /// Register 06, active low: CTS, DSR, RI, DCD in bits 0 to 3.
    public func inputs(in status: [UInt8]) -> ModemInputs? {
        status.count == 2 ? ModemInputs(rawValue: ~status[0] & 0x0F) : nil
    }

    private func out(_ request: UInt8, _ value: UInt16 = 0, _ index: UInt16 = 0) -> ControlRequest {
        ControlRequest(requestType: 0x40, request: request, value: value, index: index)
    }

    private func read(_ request: UInt8, _ value: UInt16 = 0) -> ControlRequest {
        ControlRequest(requestType: 0xC0, request: request, value: value, index: 0, expectedLength: 2)
    }
}
