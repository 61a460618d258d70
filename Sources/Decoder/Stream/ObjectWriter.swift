import BERTLV

/// Takes decoded objects one after another, parents before children.
protocol ObjectWriter {
    /// - Parameters:
    ///   - index: in the list of the group.
    ///   - base: what is added to the entry's offset to count from the input's first byte.
    mutating func write(
        _ entry: TLVOutline.Entry, index: Int, base: Int, _ finding: ObjectDecoder.Finding, _ value: Span<UInt8>,
        _ meaning: borrowing Meaning)

    /// No object of this group follows: open templates are closed.
    mutating func endGroup()

    /// Passes on what was written, if it is much or if `all` is asked for.
    mutating func flush(all: Bool)
}

/// Builds the objects of a `DecodeReport`.
struct ReportBuilder: ObjectWriter {
    private var top: [DecodeReport.Object] = []
    /// Templates whose children are still coming, and the index behind the last of them.
    private var open: [(object: DecodeReport.Object, end: Int)] = []

    mutating func write(
        _ entry: TLVOutline.Entry, index: Int, base: Int, _ finding: ObjectDecoder.Finding, _ value: Span<UInt8>,
        _ meaning: borrowing Meaning
    ) {
        close(before: index)
        let table = ElementTable.shared
        var name = "unknown"
        if finding.element >= 0 {
            let element = table.elements[finding.element]
            name = String(decoding: table.labels[element.nameStart..<element.labelEnd], as: UTF8.self)
        }
        var object = DecodeReport.Object(
            tag: entry.tag, name: name, length: value.count, offset: base + entry.offset,
            value: finding.isHidden ? nil : array(value),
            text: meaning.textEnd.map { String(decoding: meaning.bytes[..<$0], as: UTF8.self) }, details: [],
            children: entry.tag.isConstructed ? [] : nil)
        var start = meaning.textEnd ?? 0
        for end in meaning.lineEnds {
            object.details.append(String(decoding: meaning.bytes[start..<end], as: UTF8.self))
            start = end
        }
        open.append((object, entry.end))
    }

    mutating func endGroup() { close(before: Int.max) }

    mutating func flush(all: Bool) {}

    mutating func finish() -> [DecodeReport.Object] {
        endGroup()
        return top
    }

    private mutating func close(before index: Int) {
        while let last = open.last, last.end <= index {
            open.removeLast()
            if open.isEmpty {
                top.append(last.object)
            } else {
                open[open.count - 1].object.children?.append(last.object)
            }
        }
    }
}
