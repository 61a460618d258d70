/// Text on the card: ISO/IEC 8859 by the code table of tag 9F11, or the common ASCII part of all of them.
public enum CardText {
    /// Printable ASCII only; nil when there is any other byte.
    public static func ascii(_ bytes: [UInt8]) -> String? {
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter part: the part of ISO/IEC 8859, 1 ... 10.
    /// - Returns: nil for another part, a control character, or a byte to which the part gives no character.
    public static func iso8859(_ bytes: [UInt8], part: Int) -> String? {
        guard let upperHalf = ISO8859Table.upperHalves[part] else { return nil }
        var text = ""
        for byte in bytes {
            switch byte {
            case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
            case 0xA0, 0xAD: text.unicodeScalars.append(Unicode.Scalar(byte))
            case 0xA1...0xFF:
                let scalar = upperHalf[Int(byte) - (byte < 0xAD ? 0xA1 : 0xA2)]
                guard scalar != "\u{FFFD}" else { return nil }
                text.unicodeScalars.append(scalar)
            default: return nil
            }
        }
        return text
    }

    /// Without the spaces at both ends.
    static func trimmed(_ text: String) -> String {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { $0 != 0x20 }), let last = bytes.lastIndex(where: { $0 != 0x20 })
        else { return "" }
        return String(text[first...last])
    }

    /// Whether a cardholder name says nothing: empty, blank or only a slash.
    static func isBlankName(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 == 0x20 || $0 == UInt8(ascii: "/") || $0 == 0x00 }
    }
}

/// Upper-case hex digits. Inlinable: for a collection that the compiler does not know, each byte would cost two calls.
@inlinable
public func hexText(_ bytes: some Collection<UInt8>) -> String {
    let digits: StaticString = "0123456789ABCDEF"
    return digits.withUTF8Buffer { table in
        String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
            var position = 0
            for byte in bytes {
                buffer[position] = table[Int(byte >> 4)]
                buffer[position + 1] = table[Int(byte & 0x0F)]
                position += 2
            }
            return position
        }
    }
}

func byteCountText(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
