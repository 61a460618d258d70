/// A command and its sub-command.
public struct NEO2Command: Sendable, Hashable {
    public var code: UInt8
    public var subCommand: UInt8

    public init(code: UInt8, subCommand: UInt8) {
        self.code = code
        self.subCommand = subCommand
    }

    public static let passThroughCode: UInt8 = 0x2C

    public static let ping = Self(code: 0x18, subCommand: 0x01)
    public static let firmwareVersion = Self(code: 0x29, subCommand: 0x00)
    public static let serialNumber = Self(code: 0x12, subCommand: 0x01)
    /// Data 01: on demand; 00: automatic.
    public static let pollMode = Self(code: 0x01, subCommand: 0x01)
    public static let activateTransaction = Self(code: 0x02, subCommand: 0x40)
    public static let activateTransactionOld = Self(code: 0x02, subCommand: 0x01)
    public static let transactionResult = Self(code: 0x03, subCommand: 0x40)
    public static let transactionResultOld = Self(code: 0x03, subCommand: 0x00)
    public static let getConfiguration = Self(code: 0x03, subCommand: 0x02)
    public static let setConfiguration = Self(code: 0x04, subCommand: 0x00)
    public static let cancelTransaction = Self(code: 0x05, subCommand: 0x01)
    public static let contactStart = Self(code: 0x60, subCommand: 0x10)
    public static let contactAuthenticate = Self(code: 0x60, subCommand: 0x11)
    public static let contactHostResponse = Self(code: 0x60, subCommand: 0x12)
    public static let contactResult = Self(code: 0x60, subCommand: 0x13)

    /// By the interface guide; nil for what is not published.
    public var name: String? {
        Self.names[UInt16(code) << 8 | UInt16(subCommand)] ?? Self.families[code]
    }

    /// The name of what a response answers, where its sub-command is not known.
    public static func family(_ code: UInt8) -> String? { families[code] }

    /// Commands that public material shows with the CRC's high byte first, against the rule.
    public var isSeenHighFirst: Bool {
        switch code {
        case Self.passThroughCode, 0x0B: true
        case 0x19: subCommand == 0x16
        case 0x90: subCommand == 0x07
        default: false
        }
    }

    /// The data holds keys or a PIN.
    public static func isSecret(_ code: UInt8) -> Bool { code == 0x81 || code == 0xC7 || code == 0x62 }

    private static let names: [UInt16: String] = [
        0x1801: "ping", 0x2900: "get firmware version", 0x1201: "get serial number", 0x0101: "set poll mode",
        0x0201: "activate transaction", 0x0240: "activate transaction", 0x0300: "get transaction result",
        0x0340: "get transaction result", 0x0302: "get configuration", 0x0400: "set configuration",
        0x0501: "cancel transaction", 0x6010: "contact: start transaction", 0x6011: "contact: authenticate transaction",
        0x6012: "contact: apply host response", 0x6013: "contact: retrieve transaction result",
    ]

    private static let families: [UInt8: String] = [
        0x01: "poll mode", 0x02: "activate transaction", 0x03: "get result or configuration", 0x04: "set configuration",
        0x05: "cancel transaction", 0x0A: "LED", 0x0B: "buzzer", 0x12: "serial number", 0x14: "boot notification",
        0x18: "ping", 0x29: "firmware version", 0x2C: "pass-through", 0x60: "contact transaction",
        0x61: "magnetic stripe or display", 0x62: "PIN pad", 0x81: "keys", 0x90: "model and mode", 0xC7: "keys",
    ]
}
