/// What the card answered: data and status word (ISO 7816-4, 5.1.3).
public struct ResponseAPDU: Sendable, Hashable {
    public var data: [UInt8]
    public var status: StatusWord

    public init(data: [UInt8] = [], status: StatusWord) {
        self.data = data
        self.status = status
    }

    /// Nil when there are fewer than two bytes: then the reader, not the card, is at fault.
    public init?(bytes: [UInt8]) {
        guard bytes.count >= 2 else { return nil }
        data = Array(bytes.dropLast(2))
        status = StatusWord(UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1]))
    }

    public var bytes: [UInt8] { data + [status.sw1, status.sw2] }
}

extension ResponseAPDU: CustomStringConvertible {
    /// The status word and the length only: response data may hold card data.
    public var description: String { "\(status) (\(data.count) bytes)" }
}

/// SW1 SW2.
public struct StatusWord: Sendable, Hashable {
    public let value: UInt16

    public init(_ value: UInt16) { self.value = value }

    public var sw1: UInt8 { UInt8(value >> 8) }
    public var sw2: UInt8 { UInt8(value & 0xFF) }

    public static let success = StatusWord(0x9000)

    public var isSuccess: Bool { value == 0x9000 }
    /// 62xx and 63xx: the command was carried out, with a warning.
    public var isWarning: Bool { sw1 == 0x62 || sw1 == 0x63 }
    /// A status word begins with 6x or 9x; anything else (0000 for instance) is an error of the card or reader.
    public var isValid: Bool { sw1 & 0xF0 == 0x60 || sw1 & 0xF0 == 0x90 }
}

extension StatusWord: CustomStringConvertible {
    public var description: String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
