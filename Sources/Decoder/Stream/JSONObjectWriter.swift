import BERTLV
import JSONText

/// Writes objects as the elements of a JSON array. Key order is part of the contract.
struct JSONObjectWriter: ObjectWriter {
    var page: OutputPage
    private var needsComma = false
    /// The indexes behind the last child of each template that is open.
    private var open: [Int] = []
    private let table = ElementTable.shared

    init(page: OutputPage) {
        self.page = page
    }

    /// Begins another array.
    mutating func startArray() { needsComma = false }

    mutating func write(
        _ entry: TLVOutline.Entry, index: Int, base: Int, _ finding: ObjectDecoder.Finding, _ value: Span<UInt8>,
        _ meaning: borrowing Meaning
    ) {
        close(before: index)
        page.bytes.append(needsComma ? ",{\"tag\":\"" : "{\"tag\":\"")
        if finding.element >= 0 {
            let element = table.elements[finding.element]
            table.labels.withUnsafeBufferPointer {
                page.bytes.append(
                    contentsOf: UnsafeBufferPointer(rebasing: $0[element.labelStart..<element.nameStart - 1]))
                page.bytes.append("\",\"name\":\"")
                page.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[element.nameStart..<element.labelEnd]))
            }
        } else {
            page.bytes += entry.tag.description.utf8
            page.bytes.append("\",\"name\":\"unknown")
        }
        page.bytes.append("\",\"length\":")
        page.bytes.append(decimal: value.count)
        page.bytes.append(",\"offset\":")
        page.bytes.append(decimal: base + entry.offset)
        if finding.isHidden {
            page.bytes.append(",\"value\":null")
        } else {
            page.bytes.append(",\"value\":\"")
            page.bytes.append(hex: value)
            page.bytes.append("\"")
        }
        let isClean = meaning.needsNoEscapes
        if let end = meaning.textEnd {
            page.bytes.append(",\"text\":\"")
            addEscaped(meaning, 0..<end, isClean: isClean)
            page.bytes.append("\"")
        } else {
            page.bytes.append(",\"text\":null")
        }
        page.bytes.append(",\"details\":[")
        var start = meaning.textEnd ?? 0
        for (position, end) in meaning.lineEnds.enumerated() {
            page.bytes.append(position == 0 ? "\"" : ",\"")
            addEscaped(meaning, start..<end, isClean: isClean)
            page.bytes.append("\"")
            start = end
        }
        if entry.tag.isConstructed {
            page.bytes.append("],\"children\":[")
            open.append(entry.end)
            needsComma = false
        } else {
            page.bytes.append("]}")
            needsComma = true
        }
    }

    mutating func endGroup() { close(before: Int.max) }

    mutating func flush(all: Bool) { page.flush(all: all) }

    private mutating func close(before index: Int) {
        while let last = open.last, last <= index {
            open.removeLast()
            page.bytes.append("]}")
            needsComma = true
        }
    }

    private mutating func addEscaped(_ meaning: borrowing Meaning, _ range: Range<Int>, isClean: Bool) {
        if isClean {
            meaning.bytes.withUnsafeBufferPointer {
                page.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range]))
            }
        } else {
            // Through a string, so that the document is valid UTF-8 whatever stands in the card.
            page.addJSON(.string(String(decoding: meaning.bytes[range], as: UTF8.self)), isInside: true)
        }
    }
}
