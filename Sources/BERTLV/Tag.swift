/// A BER-TLV tag (EMV Book 3, Annex B1), kept as the big-endian number of its 1 to 8 bytes: `0x9F26`, `0xDF8129`.
/// The first byte of a tag is never 00 in EMV data, so the number says how many bytes there were.
public struct Tag: Hashable, Sendable {
    public let number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }

    /// 1 ... 8.
    public var byteCount: Int {
        max(1, (64 - number.leadingZeroBitCount + 7) / 8)
    }

    public var bytes: [UInt8] {
        (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: number >> (UInt64($0) * 8)) }
    }

    public var firstByte: UInt8 {
        UInt8(truncatingIfNeeded: number >> (UInt64(byteCount - 1) * 8))
    }

    /// Bit 6 of the first byte: the value is itself TLV.
    public var isConstructed: Bool { firstByte & 0x20 != 0 }
}

extension Tag: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt64) { self.init(value) }
}

extension Tag: Comparable {
    public static func < (left: Tag, right: Tag) -> Bool { left.number < right.number }
}

extension Tag: CustomStringConvertible {
    /// Upper-case hex, an even number of digits: `9F26`.
    public var description: String {
        let digits = String(number, radix: 16, uppercase: true)
        return digits.count % 2 == 0 ? digits : "0" + digits
    }
}
