extension JSONReader {
    /// From the opening quotation mark to behind the closing one.
    mutating func readString() throws(JSONSyntaxError) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    position = start
                    throw complain("a text in UTF-8 is expected")
                }
                position += 1
                return string
            case UInt8(ascii: "\\"):
                position += 1
                text += Array(String(try readEscape()).utf8)
            case ..<0x20:
                throw complain("a control character in a text is expected as an escape")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw complain("a closing quotation mark is expected")
    }

    private mutating func readEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        guard let letter = next else { throw complain("an escape is expected") }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try readUnicodeEscape()
        default:
            position -= 1
            throw complain("an escape is expected")
        }
    }

    /// Four hex digits, or two such escapes that are a surrogate pair; a lone half is no character.
    private mutating func readUnicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let first = try readFourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800...0xDBFF).contains(first), bytes[position...].starts(with: [0x5C, 0x75]) else {
            throw complain("a surrogate pair is expected")
        }
        position += 2
        let second = try readFourHexDigits()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw complain("a surrogate pair is expected") }
        return scalar
    }

    private mutating func readFourHexDigits() throws(JSONSyntaxError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap(HexText.digit) else { throw complain("four hex digits are expected") }
            number = number << 4 | UInt32(digit)
            position += 1
        }
        return number
    }
}
