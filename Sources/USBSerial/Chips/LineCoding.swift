public import Transport

/// The line coding structure of USB CDC PSTN 1.2, 6.3.11: speed, stop bits, parity and data bits in seven bytes. The
/// PL2303 uses it too.
public enum LineCoding {
    /// The bytes for `settings`, with `rate` (little endian) where the speed belongs.
    static func bytes(_ settings: SerialSettings, rate: [UInt8]) -> [UInt8] {
        rate + [settings.stopBits == .one ? 0 : 2, settings.parity.number, settings.dataBits.rawValue]
    }

    public static func bytes(_ settings: SerialSettings) -> [UInt8] {
        bytes(settings, rate: settings.baud.littleEndian)
    }

    /// Nil for what is no line coding, or none that a `SerialSettings` can say (1.5 stop bits, 16 data bits).
    public static func settings(in bytes: [UInt8]) -> SerialSettings? {
        guard bytes.count == 7 else { return nil }
        let speed = bytes[0..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let baud = BaudRate(speed), bytes[4] == 0 || bytes[4] == 2,
            let parity = SerialSettings.Parity.allCases.first(where: { $0.number == bytes[5] }),
            let dataBits = SerialSettings.DataBits(rawValue: bytes[6])
        else { return nil }
        return SerialSettings(
            baud: baud, dataBits: dataBits, parity: parity, stopBits: bytes[4] == 0 ? .one : .two)
    }
}

extension SerialSettings.Parity {
    /// As CDC, FTDI and CP210x count it: none, odd, even, mark, space.
    var number: UInt8 {
        switch self {
        case .none: 0
        case .odd: 1
        case .even: 2
        case .mark: 3
        case .space: 4
        }
    }
}
