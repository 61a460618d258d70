/// The id of a reader's frame: how far the command is. Every value is legal; one that is not published has no name.
public struct QPOSStatus: RawRepresentable, Sendable, Hashable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let waiting = Self(rawValue: 0x23)
    public static let completed = Self(rawValue: 0x24)
    public static let timeout = Self(rawValue: 0x25)
    public static let userCancel = Self(rawValue: 0x28)
    public static let partData = Self(rawValue: 0x36)
    public static let completedEncrypted = Self(rawValue: 0x88)

    /// What the host has to do.
    public enum Demand: Sendable, Hashable {
        /// Send QUERY and read on.
        case query
        /// Keep the data, send NEXT PART.
        case nextPart
        case done
        case failed
    }

    public var demand: Demand {
        switch rawValue {
        case 0x23, 0x41, 0x42, 0x43, 0x52: .query
        case 0x36: .nextPart
        case 0x24, 0x88: .done
        default: .failed
        }
    }

    public var isKnown: Bool { Self.names[rawValue] != nil }

    public var name: String {
        Self.names[rawValue] ?? "status \(String(rawValue, radix: 16, uppercase: true)) (not published)"
    }

    static let names: [UInt8: String] = [
        0x23: "waiting", 0x24: "completed", 0x25: "timeout", 0x26: "destructed", 0x27: "check error seen by reader",
        0x28: "user cancel", 0x29: "MAC error", 0x30: "ICC init error", 0x31: "ICC power-on error",
        0x32: "ICC trade error", 0x33: "EMV terminated", 0x34: "EMV denied", 0x35: "not available",
        0x36: "part data", 0x37: "EMV application configuration error", 0x38: "CAPK configuration error",
        0x39: "write data error", 0x40: "no work key", 0x41: "PIN entry going on", 0x42: "magnetic stripe to chip",
        0x43: "send IC card number", 0x44: "blocked, or no EMV application", 0x45: "selecting the application failed",
        0x46: "CAPK failed", 0x47: "fallback", 0x48: "EMV terminated, NFC", 0x49: "kernel on PC",
        0x51: "card removed", 0x52: "magnetic stripe ready", 0x88: "completed, encrypted", 0x89: "check have card",
    ]
}
