/// Percent-encoding as requests and replies use it (RFC 3986, section 2): UTF-8, and everything but the unreserved
/// characters escaped. `+` is a plus, never a space.
public enum PercentCoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Escapes everything except `A-Z a-z 0-9 - . _ ~`, with upper-case hex digits.
    public static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Undoes every escape. Characters that should have been escaped are taken as they are; an escape that is broken, and
    /// bytes that are not UTF-8, are errors and never guessed at.
    public static func decode(_ bytes: some Collection<UInt8>) throws(PercentCodingError) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index = bytes.index(after: index)
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            var value: UInt8 = 0
            for _ in 0..<2 {
                guard index < bytes.endIndex, let digit = hexDigit(bytes[index]) else { throw .brokenEscape }
                value = value << 4 | digit
                index = bytes.index(after: index)
            }
            decoded.append(value)
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .invalidUTF8 }
        return text
    }

    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
    }
}

public enum PercentCodingError: Error, Sendable, Hashable {
    /// A `%` without two hex digits behind it.
    case brokenEscape
    case invalidUTF8
}
