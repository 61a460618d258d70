/// Classes of bytes in URLs, which are ASCII whatever the locale says.
enum ASCII {
    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// RFC 3986, section 3.1: a letter, then letters, digits, `+`, `.` and `-`.
    static func isSchemeName(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || [0x2B, 0x2D, 0x2E].contains($0) }
    }

    /// Lower case of ASCII letters only, so that no other character turns into one.
    static func lowercased(_ text: some StringProtocol) -> String {
        let upper = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return String(decoding: text.utf8.map { upper.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
