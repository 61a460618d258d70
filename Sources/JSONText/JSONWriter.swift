extension JSONValue {
    /// The document on one line, without spaces (RFC 8259). Control characters are escaped; everything else is UTF-8.
    public var compactText: String {
        var text = ""
        write(to: &text, indent: nil)
        return text
    }

    /// The document with two spaces of indentation a level, for people.
    public var indentedText: String {
        var text = ""
        write(to: &text, indent: 0)
        return text
    }

    private func write(to text: inout String, indent: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .string(let value): Self.writeString(value, to: &text)
        case .array(let items):
            Self.writeList(items, open: "[", close: "]", to: &text, indent: indent) { item, text, indent in
                item.write(to: &text, indent: indent)
            }
        case .object(let members):
            Self.writeList(members, open: "{", close: "}", to: &text, indent: indent) { member, text, indent in
                Self.writeString(member.key, to: &text)
                text += indent == nil ? ":" : ": "
                member.value.write(to: &text, indent: indent)
            }
        }
    }

    private static func writeList<Element>(
        _ elements: [Element], open: String, close: String, to text: inout String, indent: Int?,
        each: (Element, inout String, Int?) -> Void
    ) {
        text += open
        for (position, element) in elements.enumerated() {
            if position > 0 { text += "," }
            if let indent { text += "\n" + String(repeating: "  ", count: indent + 1) }
            each(element, &text, indent.map { $0 + 1 })
        }
        if let indent, !elements.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
        text += close
    }

    private static func writeString(_ value: String, to text: inout String) {
        text += "\""
        // Most strings have nothing to escape, and are copied whole.
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x7F }) else {
            text += value
            text += "\""
            return
        }
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
