import BERTLV

/// Writes objects as an indented tree for people.
struct TextObjectWriter: ObjectWriter {
    var page: OutputPage
    /// Spaces before the objects of the top level, in steps of two.
    var indent = 0
    private let table = ElementTable.shared

    init(page: OutputPage, indent: Int = 0) {
        self.page = page
        self.indent = indent
    }

    mutating func write(
        _ entry: TLVOutline.Entry, index: Int, base: Int, _ finding: ObjectDecoder.Finding, _ value: Span<UInt8>,
        _ meaning: borrowing Meaning
    ) {
        let depth = entry.depth + indent
        page.indent(depth)
        if finding.element >= 0 {
            let element = table.elements[finding.element]
            table.labels.withUnsafeBufferPointer {
                page.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[element.labelStart..<element.labelEnd]))
            }
        } else {
            page.bytes += entry.tag.description.utf8
            page.bytes.append(" unknown")
        }
        let isClean = meaning.isPrintableASCII
        if entry.tag.isConstructed {
            page.bytes.append(" (")
            page.bytes.append(decimal: value.count)
            page.bytes.append(" bytes)")
        } else {
            page.bytes.append(":")
            if !finding.isHidden, !value.isEmpty {
                page.bytes.append(" ")
                page.bytes.append(hex: value)
            }
            if let end = meaning.textEnd {
                page.bytes.append(finding.isHidden ? " " : " = ")
                page.addPrintable(meaning, 0..<end, isClean: isClean)
            }
        }
        page.bytes.append(UInt8(ascii: "\n"))
        var start = meaning.textEnd ?? 0
        for end in meaning.lineEnds {
            page.indent(depth + 2)
            page.addPrintable(meaning, start..<end, isClean: isClean)
            page.bytes.append(UInt8(ascii: "\n"))
            start = end
        }
    }

    mutating func endGroup() {}

    mutating func flush(all: Bool) { page.flush(all: all) }
}

extension Meaning {
    /// Only characters that mean the same on every terminal and in every document.
    var isPrintableASCII: Bool { kindsOfCharacters & 1 == 0 }

    /// As it is, the meaning can stand in a JSON string.
    var needsNoEscapes: Bool { kindsOfCharacters == 0 }

    /// 1 for bytes below 20 or above 7E, 2 for quotes and backslashes, together.
    private var kindsOfCharacters: UInt8 {
        bytes.withUnsafeBufferPointer { bytes in
            var kinds: UInt8 = 0
            for byte in bytes {
                kinds |= (byte &- 0x20) > 0x5E ? 1 : 0
                kinds |= byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? 2 : 0
            }
            return kinds
        }
    }
}

extension OutputPage {
    mutating func indent(_ depth: Int) {
        for _ in 0..<depth { bytes.append("  ") }
    }

    /// Card text must not steer the terminal: control and format characters are replaced.
    mutating func addPrintable(_ meaning: borrowing Meaning, _ range: Range<Int>, isClean: Bool) {
        if isClean {
            meaning.bytes.withUnsafeBufferPointer {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range]))
            }
        } else {
            addPrintable(String(decoding: meaning.bytes[range], as: UTF8.self))
        }
    }

    mutating func addPrintable(_ text: String) {
        var clean = ""
        for scalar in text.unicodeScalars {
            let category = scalar.properties.generalCategory
            let steers =
                category == .control || category == .format || category == .lineSeparator
                || category == .paragraphSeparator
            clean.unicodeScalars.append(steers ? "\u{FFFD}" : scalar)
        }
        bytes += clean.utf8
    }
}
