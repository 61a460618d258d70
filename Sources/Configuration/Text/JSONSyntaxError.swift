/// Where a text stops being JSON, and what should stand there. Nothing of the text is repeated.
struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// From 1.
    let line: Int
    /// From 1, in characters.
    let column: Int
    /// Where it ends with `expected`, a whole clause.
    let complaint: String

    var description: String { "line \(line), column \(column): \(complaint)" }

    init(_ complaint: String, in bytes: [UInt8], at position: Int) {
        let before = bytes.prefix(position)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        // The continuation bytes of UTF-8 belong to the character before them.
        column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        self.complaint = complaint
    }
}
