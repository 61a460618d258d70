/// A command: CLA, INS, P1, P2, then Lc and data, then Le.
public struct MPICommand: Sendable, Hashable {
    public var cla: UInt8
    public var ins: UInt8
    public var p1: UInt8
    public var p2: UInt8
    /// At most 255 bytes; what is beyond is not sent.
    public var data: [UInt8]
    /// Le; 0 stands for 256. Public material does not settle which commands need it.
    public var expected: UInt8?

    public init(cla: UInt8, ins: UInt8, p1: UInt8 = 0, p2: UInt8 = 0, data: [UInt8] = [], expected: UInt8? = nil) {
        self.cla = cla
        self.ins = ins
        self.p1 = p1
        self.p2 = p2
        self.data = data
        self.expected = expected
    }

    public static let reset = Self(cla: 0xD0, ins: 0x00)
    public static let getConfiguration = Self(cla: 0xD0, ins: 0x01)
    public static let deviceInformation = Self(cla: 0xD0, ins: 0x02)
    public static let abort = Self(cla: 0xD0, ins: 0xFF)
    /// To be sent before a USB connection is closed.
    public static let usbDisconnect = Self(cla: 0xD0, ins: 0xC0)

    /// Card status messages on or off.
    public static func cardStatus(isOn: Bool) -> Self { Self(cla: 0xD0, ins: 0x60, p1: isOn ? 1 : 0, p2: 1) }

    /// The message without its packets.
    public var bytes: [UInt8] {
        var bytes = [cla, ins, p1, p2]
        if !data.isEmpty { bytes += [UInt8(min(data.count, 255))] + data.prefix(255) }
        if let expected { bytes.append(expected) }
        return bytes
    }

    /// Nil when the lengths do not fit.
    public init?(parsing message: [UInt8]) {
        guard message.count >= 4 else { return nil }
        self.init(cla: message[0], ins: message[1], p1: message[2], p2: message[3])
        switch message.count {
        case 4: return
        case 5: expected = message[4]
        default:
            let end = 5 + Int(message[4])
            guard message[4] > 0, message.count == end || message.count == end + 1 else { return nil }
            data = Array(message[5..<end])
            if message.count > end { expected = message[end] }
        }
    }

    /// Nil for what the vendors' lists do not have.
    public var name: String? { Self.name(cla: cla, ins: ins) }

    public static func name(cla: UInt8, ins: UInt8) -> String? {
        names[UInt16(cla) << 8 | UInt16(ins)] ?? (cla == 0xEE && (0xE0...0xE6).contains(ins) ? "P2PE" : nil)
    }

    /// The answer holds a PIN, keys, or what a person typed.
    public var isSecret: Bool {
        switch UInt16(cla) << 8 | UInt16(ins) {
        case 0xD204, 0xD25A, 0xDED6: true
        default: cla == 0xEE
        }
    }

    private static let names: [UInt16: String] = [
        0xD000: "reset", 0xD001: "get configuration", 0xD002: "device information", 0x00A4: "select file",
        0x00B0: "read binary", 0x00D6: "update binary", 0x00D7: "stream binary", 0xD060: "card status",
        0xD061: "keyboard status", 0xD062: "battery status", 0xD063: "printer status", 0xD0BC: "Bluetooth",
        0xD010: "clock", 0xD0C0: "USB serial disconnect", 0xD0FF: "abort", 0xD0E1: "log",
        0xD05C: "serial adaptor", 0xD05D: "serial adaptor", 0xD0A0: "peripherals", 0xD201: "display text",
        0xD2D2: "display image", 0xD2B0: "configure image", 0xD204: "numeric input", 0xD205: "tip input",
        0xD25A: "secure PAN entry", 0xD2A1: "print text", 0xD2A2: "print", 0xD2A3: "print", 0xD2A4: "print",
        0xDE02: "next counter", 0xDE01: "hash", 0xDEC2: "hash", 0xDED1: "start transaction",
        0xDED2: "continue transaction", 0xDEC1: "start contactless transaction", 0xDED6: "online PIN",
    ]
}

/// An answer or an unsolicited message: data, then the status word of the whole message.
public struct MPIResponse: Sendable, Hashable {
    /// What the template at the beginning says.
    public enum Template: UInt8, Sendable, Hashable, CaseIterable {
        case hostRequest = 0xE0
        case cardData = 0xE1
        case decisionRequest = 0xE2
        case approved = 0xE3
        case onlineRequest = 0xE4
        case declined = 0xE5
        case deviceStatus = 0xE6
        /// VIPA's tag for the same.
        case decisionRequestVIPA = 0xEA

        public var name: String {
            switch self {
            case .hostRequest: "host request"
            case .cardData: "card data"
            case .decisionRequest, .decisionRequestVIPA: "decision request"
            case .approved: "approved"
            case .onlineRequest: "online authorisation request"
            case .declined: "declined"
            case .deviceStatus: "device status"
            }
        }
    }

    public var data: [UInt8]
    /// 9000 for success.
    public var statusWord: UInt16

    public init(data: [UInt8] = [], statusWord: UInt16 = 0x9000) {
        self.data = data
        self.statusWord = statusWord
    }

    public init?(parsing message: [UInt8]) {
        guard message.count >= 2 else { return nil }
        data = Array(message.dropLast(2))
        statusWord = UInt16(message[message.count - 2]) << 8 | UInt16(message[message.count - 1])
    }

    public var bytes: [UInt8] { data + [UInt8(statusWord >> 8), UInt8(statusWord & 0xFF)] }

    public var isSuccess: Bool { statusWord == 0x9000 }

    public var template: Template? { data.first.flatMap(Template.init(rawValue:)) }
}
