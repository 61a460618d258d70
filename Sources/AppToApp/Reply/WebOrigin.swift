/// Scheme, host and port of an http or https address.
public struct WebOrigin: Sendable, Hashable {
    /// `http` or `https`.
    public let scheme: String
    /// In lower case; an IPv6 address with its brackets.
    public let host: String
    public let port: UInt16

    /// Nil unless `text` is an http(s) address of plain URI characters, with a host, without user and password and without
    /// a fragment (behind which a query would be lost).
    init?(of text: String) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8),
            Self.isPlain(bytes)
        else { return nil }
        scheme = ASCII.lowercased(String(decoding: bytes[..<colon], as: UTF8.self))
        guard scheme == "http" || scheme == "https" else { return nil }
        let authority = bytes[(colon + 3)...].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let isLiteral = authority.first == UInt8(ascii: "[")
        let name: ArraySlice<UInt8>
        if isLiteral {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            name = authority[...end]
            let inside = name.dropFirst().dropLast()
            guard !inside.isEmpty,
                inside.allSatisfy({ PercentCoding.hexDigit($0) != nil || $0 == 0x3A || $0 == 0x2E })
            else { return nil }
        } else {
            name = authority.prefix { $0 != UInt8(ascii: ":") }
            guard !name.isEmpty,
                name.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x2E })
            else { return nil }
        }
        host = ASCII.lowercased(String(decoding: name, as: UTF8.self))
        guard let port = Self.port(authority[name.endIndex...], default: scheme == "https" ? 443 : 80) else {
            return nil
        }
        self.port = port
    }

    private static func port(_ text: ArraySlice<UInt8>, default standard: UInt16) -> UInt16? {
        guard !text.isEmpty else { return standard }
        let digits = text.dropFirst()
        guard text.first == UInt8(ascii: ":"), (1...5).contains(digits.count), digits.allSatisfy(ASCII.isDigit),
            let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
        else { return nil }
        return port
    }

    /// RFC 3986's characters except `#`, with whole escapes.
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        let marks = Set("-._~:/?[]@!$&'()*+,;=".utf8)
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "%") {
                let digits = bytes[(index + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy({ PercentCoding.hexDigit($0) != nil }) else { return false }
            } else if !ASCII.isLetter(byte), !ASCII.isDigit(byte), !marks.contains(byte) {
                return false
            }
        }
        return true
    }
}
