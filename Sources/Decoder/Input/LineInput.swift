/// The lines of a text of any length, one at a time.
struct LineInput {
    /// A longer line is cut, and told as a problem.
    static let longest = 1 << 20

    private var input: DecodeInput
    private var position = 0

    init(read: @escaping DecodeInput.Read) {
        input = DecodeInput(read: read)
    }

    var failure: InputFailure? { input.failure }

    /// The next line without its end, and where it begins in the input; nil at the end.
    mutating func next() -> (line: [UInt8], offset: Int, isCut: Bool)? {
        var scanned = 0
        while true {
            var end = position + scanned
            while end < input.count, input.storage[end] != UInt8(ascii: "\n") { end += 1 }
            if end < input.count || (input.isAtEnd && end > position) || end - position >= Self.longest {
                let isCut = end == input.count && !input.isAtEnd
                var line = Array(input.storage[position..<end])
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                let offset = input.base + position
                position = min(end + 1, input.count)
                return (line, offset, isCut)
            }
            if input.isAtEnd { return nil }
            scanned = end - position
            input.advance(dropping: position, needed: scanned + 1)
            position = 0
        }
    }
}
