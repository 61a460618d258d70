/// The meanings of the bits of a binary object, written out for display: `b1.80 Offline data ...`.
struct BitTable: Sendable {
    /// The lines of all bits one after another, from byte 1 mask 80 downwards.
    private let text: [UInt8]
    /// Where each line ends; an empty line is not shown.
    private let ends: [Int]
    /// Which version of EMV the names are from.
    private let version: StaticString?

    /// - Parameter rows: eight names for each byte, from mask 80 to 01; empty for reserved bits, one space for
    ///   bits that are not told.
    init(_ rows: [[StaticString]], version: StaticString? = nil) {
        self.version = version
        var text: [UInt8] = []
        var ends: [Int] = []
        for (byte, row) in rows.enumerated() {
            for bit in 0..<8 {
                let name: StaticString =
                    bit < row.count && row[bit].utf8CodeUnitCount > 0 ? row[bit] : "reserved for future use"
                if name.utf8CodeUnitCount > 1 {
                    text.append(UInt8(ascii: "b"))
                    text.append(decimal: byte + 1)
                    text.append(UInt8(ascii: "."))
                    let mask = UInt8(0x80) >> UInt8(bit)
                    text.append(hexDigit(mask >> 4))
                    text.append(hexDigit(mask & 0x0F))
                    text.append(UInt8(ascii: " "))
                    text.append(name)
                }
                ends.append(text.count)
            }
        }
        self.text = text
        self.ends = ends
    }

    /// A text that no bit is set, or the version, and the lines of the bits that are set.
    func write(_ value: Span<UInt8>, into meaning: inout Meaning) {
        if !hasBits(value) {
            meaning.text("no bits set")
            return
        }
        if let version { meaning.text(version) }
        writeLines(value, into: &meaning)
    }

    /// The lines of the bits that are set.
    func writeLines(_ value: Span<UInt8>, into meaning: inout Meaning) {
        text.withUnsafeBufferPointer { text in
            for position in value.indices {
                var bits = value[position]
                while bits != 0 {
                    let bit = bits.leadingZeroBitCount
                    bits &= ~(0x80 >> UInt8(bit))
                    let line = position * 8 + bit
                    guard line < ends.count else { return }
                    let start = line == 0 ? 0 : ends[line - 1]
                    guard start < ends[line] else { continue }
                    meaning.put(UnsafeBufferPointer(rebasing: text[start..<ends[line]]))
                    meaning.endLine()
                }
            }
        }
    }

    private func hasBits(_ value: Span<UInt8>) -> Bool {
        for position in value.indices where value[position] != 0 { return true }
        return false
    }
}
