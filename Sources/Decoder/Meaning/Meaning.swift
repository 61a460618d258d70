/// What one object means: a line of text, lines of detail and perhaps a fault, as UTF-8 in memory that is used again for
/// the next object, so that decoding a stream allocates nothing.
struct Meaning: Sendable {
    /// Something that the value cannot be; a stable code and a sentence without value bytes.
    struct Fault: Sendable, Hashable {
        /// A sentence of its own, or the part of the meaning's bytes that says it.
        enum Message: Sendable, Hashable {
            case sentence(String)
            case bytes(Range<Int>)
        }

        var code: DecodeReport.Problem.Code
        var message: Message
    }

    /// The text, then the lines, one after another.
    private(set) var bytes: [UInt8] = []
    /// Where the text ends; nil when there is none.
    private(set) var textEnd: Int?
    private(set) var lineEnds: [Int] = []
    var faults: [Fault] = []

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        lineEnds.removeAll(keepingCapacity: true)
        textEnd = nil
        if !faults.isEmpty { faults.removeAll(keepingCapacity: true) }
    }

    func sentence(of fault: Fault) -> String {
        switch fault.message {
        case .sentence(let sentence): sentence
        case .bytes(let range): String(decoding: bytes[range], as: UTF8.self)
        }
    }

    /// What was put so far is the text; behind lines it can only be another line.
    mutating func endText() {
        if lineEnds.isEmpty { textEnd = bytes.count } else { endLine() }
    }

    /// What was put since the text or the last line is a line.
    mutating func endLine() { lineEnds.append(bytes.count) }

    mutating func text(_ text: StaticString) {
        put(text)
        endText()
    }

    mutating func line(_ text: StaticString) {
        put(text)
        endLine()
    }

    mutating func put(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ text: String) {
        bytes += text.utf8
    }

    mutating func put(ascii character: UInt8) { bytes.append(character) }

    mutating func put(_ text: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: text) }

    mutating func put(hex byte: UInt8) {
        bytes.append(hexDigit(byte >> 4))
        bytes.append(hexDigit(byte & 0x0F))
    }

    mutating func put(hex value: Span<UInt8>) {
        for position in value.indices { put(hex: value[position]) }
    }

    /// Printable ASCII, which the caller has checked.
    mutating func put(text value: Span<UInt8>) {
        for position in value.indices { bytes.append(value[position]) }
    }

    mutating func put(_ number: Int) { bytes.append(decimal: number) }

    /// With zeros in front.
    mutating func put(_ number: Int, digits: Int) {
        var limit = 10
        for _ in 1..<digits {
            if number < limit { bytes.append(0x30) }
            limit = limit &* 10
        }
        put(number)
    }

    /// Adds another meaning's text as a line, and its lines.
    mutating func append(_ other: Meaning) {
        let start = bytes.count
        bytes += other.bytes
        if let end = other.textEnd { lineEnds.append(start + end) }
        for end in other.lineEnds { lineEnds.append(start + end) }
    }

    /// `1 byte`, `2 bytes`.
    mutating func put(byteCount count: Int) {
        put(count)
        put(count == 1 ? " byte" : " bytes")
    }
}

extension [UInt8] {
    mutating func append(decimal number: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = count
        repeat {
            append(0x30 + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }

    mutating func append(hex value: Span<UInt8>) {
        reserveFor(value.count * 2)
        for position in value.indices {
            append(hexDigit(value[position] >> 4))
            append(hexDigit(value[position] & 0x0F))
        }
    }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Room for more bytes, growing by doubling.
    private mutating func reserveFor(_ more: Int) {
        if capacity - count < more { reserveCapacity(Swift.max(capacity * 2, count + more)) }
    }
}

@inline(__always)
func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? 0x30 + nibble : 0x41 - 10 + nibble
}
