extension JSONValue {
    /// The document on one line, without spaces (RFC 8259). Control characters are escaped; everything else is UTF-8.
    public var compactText: String { String(decoding: compactBytes, as: UTF8.self) }

    /// `compactText` in UTF-8, for what is sealed or sent.
    public var compactBytes: [UInt8] { written(indent: nil) }

    /// The document with two spaces of indentation a level, for people.
    public var indentedText: String { String(decoding: written(indent: 0), as: UTF8.self) }

    private func written(indent: Int?) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(self, indent: indent)
        return writer.bytes
    }
}

/// Writes documents as bytes: a text that grows by pieces costs several times as much.
private struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init() {
        // A receipt or a reply fits.
        bytes.reserveCapacity(1024)
    }

    mutating func write(_ value: JSONValue, indent: Int?) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .string(let value): write(value)
        case .array(let items):
            bytes.append(UInt8(ascii: "["))
            for (position, item) in items.enumerated() {
                begin(position, indent: indent)
                write(item, indent: indent.map { $0 + 1 })
            }
            end(isEmpty: items.isEmpty, indent: indent)
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (position, member) in members.enumerated() {
                begin(position, indent: indent)
                write(member.key)
                bytes.append(UInt8(ascii: ":"))
                if indent != nil { bytes.append(UInt8(ascii: " ")) }
                write(member.value, indent: indent.map { $0 + 1 })
            }
            end(isEmpty: members.isEmpty, indent: indent)
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// An element of a list.
    private mutating func begin(_ position: Int, indent: Int?) {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        if let indent { breakLine(indent + 1) }
    }

    private mutating func end(isEmpty: Bool, indent: Int?) {
        if let indent, !isEmpty { breakLine(indent) }
    }

    private mutating func breakLine(_ indent: Int) {
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * indent))
    }

    private mutating func write(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { text in
            // What needs no escape is copied in one go; mostly that is the whole text.
            var start = 0
            for position in text.indices where Self.isEscaped(text[position]) {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<position]))
                escape(text[position])
                start = position + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
        case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
        case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        default: bytes += ((byte < 0x10 ? #"\u000"# : #"\u00"#) + String(byte, radix: 16)).utf8
        }
    }
}
