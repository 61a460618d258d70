/// A command and its sub-code.
public struct QPOSCommand: Sendable, Hashable {
    public var code: UInt8
    public var subCode: UInt8

    public init(code: UInt8, subCode: UInt8) {
        self.code = code
        self.subCode = subCode
    }

    public static let readerID = Self(code: 0x10, subCode: 0x00)
    public static let readerInformation = Self(code: 0x11, subCode: 0x30)
    public static let getPIN = Self(code: 0x10, subCode: 0x71)
    public static let startTrade = Self(code: 0x16, subCode: 0x20)
    public static let startEMV = Self(code: 0x16, subCode: 0x30)
    public static let selectApplication = Self(code: 0x16, subCode: 0x31)
    public static let onlineResult = Self(code: 0x16, subCode: 0x40)
    public static let getICCTags = Self(code: 0x16, subCode: 0x51)
    public static let chipPowerOn = Self(code: 0x16, subCode: 0x60)
    public static let chipAPDU = Self(code: 0x16, subCode: 0x70)
    public static let chipPowerOff = Self(code: 0x16, subCode: 0x80)
    public static let nfcPowerOn = Self(code: 0x17, subCode: 0x00)
    public static let nfcAPDU = Self(code: 0x17, subCode: 0x10)
    public static let buzzer = Self(code: 0x23, subCode: 0x10)

    /// Nil for what the vendor's host code does not name.
    public var name: String? { Self.names[UInt16(code) << 8 | UInt16(subCode)] }

    /// The data holds keys, a PIN, or what a person typed.
    public var isSecret: Bool {
        switch UInt16(code) << 8 | UInt16(subCode) {
        case 0x1071, 0x10C0, 0x10E2, 0x10F0, 0x10F2: true
        default: false
        }
    }

    private static let names: [UInt16: String] = [
        0x1000: "reader id", 0x1130: "reader information", 0x1071: "get PIN", 0x10C0: "custom input",
        0x10E2: "set master key", 0x10F0: "set work key", 0x10F2: "set IPEK", 0x1620: "start trade",
        0x1630: "start EMV", 0x1631: "select application", 0x1640: "online result", 0x1651: "get ICC tags",
        0x1660: "chip power on", 0x1670: "chip APDU", 0x1680: "chip power off", 0x1700: "NFC power on",
        0x1710: "NFC APDU", 0x17A0: "EMV application configuration", 0x17A1: "EMV CAPK configuration",
        0x20D0: "set sleep time", 0x20E0: "get sleep time", 0x2310: "buzzer", 0x4110: "display text",
    ]
}
