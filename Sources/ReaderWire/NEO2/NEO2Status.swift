/// The status byte of a response. Every value is legal: one that is not published has no name.
public struct NEO2Status: RawRepresentable, Sendable, Hashable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let ok = Self(rawValue: 0x00)
    public static let crcError = Self(rawValue: 0x04)
    public static let timeout = Self(rawValue: 0x08)
    public static let failed = Self(rawValue: 0x0A)
    public static let commandNotAllowed = Self(rawValue: 0x0B)
    public static let userInterfaceEvent = Self(rawValue: 0x0E)
    public static let requestOnline = Self(rawValue: 0x23)
    public static let interim = Self(rawValue: 0x63)

    /// The answer to the command is still to come.
    public var isInterim: Bool { self == .userInterfaceEvent || self == .interim }

    public var isKnown: Bool { Self.names[rawValue] != nil }

    public var name: String {
        Self.names[rawValue] ?? "status \(String(rawValue, radix: 16, uppercase: true)) (not published)"
    }

    /// 57 and 63 are from public test scripts, the others from the interface guide.
    static let names: [UInt8: String] = [
        0x00: "ok", 0x01: "incorrect header", 0x02: "unknown command", 0x03: "unknown sub-command", 0x04: "CRC error",
        0x05: "incorrect parameter", 0x06: "parameter not supported", 0x07: "malformed data", 0x08: "timeout",
        0x0A: "failed", 0x0B: "command not allowed", 0x0C: "sub-command not allowed", 0x0D: "buffer overflow",
        0x0E: "user interface event", 0x10: "needs clear firmware", 0x11: "communication type not supported",
        0x12: "secure interface needed", 0x13: "data is not a multiple of 8 bytes", 0x14: "padding not found",
        0x15: "invalid key type", 0x16: "SAM or key error 16", 0x17: "SAM or key error 17",
        0x18: "SAM or key error 18", 0x19: "frame too large", 0x1A: "key or format error 1A",
        0x1B: "key or format error 1B", 0x1C: "key or format error 1C", 0x1D: "tamper",
        0x23: "request online authorisation", 0x24: "module-specific error 24", 0x25: "module-specific error 25",
        0x57: "loyalty success", 0x63: "interim response",
    ]
}
