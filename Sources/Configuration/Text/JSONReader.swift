/// Reads a JSON text (RFC 8259) strictly, with the place of a mistake. In one pass; nesting is limited.
struct JSONReader {
    /// Levels of lists and objects.
    static let maximumDepth = 32

    let bytes: [UInt8]
    var position = 0

    static func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
        var reader = JSONReader(bytes: bytes)
        // Editors may put a byte order mark there (RFC 8259, section 8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        let node = try reader.readValue(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.complain("the end of the text is expected") }
        return node
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func complain(_ complaint: String) -> JSONSyntaxError {
        JSONSyntaxError(complaint, in: bytes, at: position)
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Steps over `character` if it comes next, after white space.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func readValue(depth: Int) throws(JSONSyntaxError) -> JSONNode {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try readObject(depth: depth)
        case UInt8(ascii: "["): return try readArray(depth: depth)
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return .number(try readNumber())
        default: throw complain("a value is expected")
        }
    }

    private func checkDepth(_ depth: Int) throws(JSONSyntaxError) {
        guard depth < Self.maximumDepth else {
            throw complain("at most \(Self.maximumDepth) levels of nesting are expected")
        }
    }

    private mutating func readObject(depth: Int) throws(JSONSyntaxError) -> JSONNode {
        try checkDepth(depth)
        position += 1
        var members: [JSONNode.Member] = []
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw complain("a key in quotation marks is expected") }
            let key = try readString()
            guard take(":") else { throw complain("a colon is expected") }
            members.append(JSONNode.Member(key: key, value: try readValue(depth: depth + 1)))
        } while take(",")
        guard take("}") else { throw complain("a comma or a closing brace is expected") }
        return .object(members)
    }

    private mutating func readArray(depth: Int) throws(JSONSyntaxError) -> JSONNode {
        try checkDepth(depth)
        position += 1
        var items: [JSONNode] = []
        if take("]") { return .array(items) }
        repeat { items.append(try readValue(depth: depth + 1)) } while take(",")
        guard take("]") else { throw complain("a comma or a closing bracket is expected") }
        return .array(items)
    }

    private mutating func readWord(_ word: StaticString, _ node: JSONNode) throws(JSONSyntaxError) -> JSONNode {
        let isThere = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        guard isThere else { throw complain("a value is expected") }
        position += word.utf8CodeUnitCount
        return node
    }

    /// `-`, digits without a leading zero, a fraction, an exponent: kept as text, so that no size overflows.
    private mutating func readNumber() throws(JSONSyntaxError) -> String {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") {
            position += 1
        } else {
            try readDigits()
        }
        if next == UInt8(ascii: ".") {
            position += 1
            try readDigits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try readDigits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func readDigits() throws(JSONSyntaxError) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw complain("a digit is expected") }
    }
}
