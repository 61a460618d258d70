/// Bytes written as hex digits, by people: white space and `:` count for nothing. Takes a text in pieces.
public struct HexInput: Sendable {
    /// `invalidDigit` or `oddDigits`, with the position of the character. Nothing is read behind an invalid digit.
    public private(set) var problem: DecodeReport.Problem?
    private var high: UInt8?
    private var position = 0

    public init() {}

    /// The bytes of a whole text before the first thing that is wrong, and what that is.
    public static func parse(_ text: some Sequence<UInt8>) -> (bytes: [UInt8], problem: DecodeReport.Problem?) {
        var input = HexInput()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.underestimatedCount / 2)
        for character in text {
            if let byte = input.take(character) { bytes.append(byte) }
        }
        input.finish()
        return (bytes, input.problem)
    }

    public static func parse(_ text: String) -> (bytes: [UInt8], problem: DecodeReport.Problem?) { parse(text.utf8) }

    /// The byte that the character completes.
    @inline(__always)
    mutating func take(_ character: UInt8) -> UInt8? {
        guard problem == nil else { return nil }
        let digit = Self.digit(character)
        position += 1
        if digit < 16 {
            if let first = high {
                high = nil
                return first << 4 | digit
            }
            high = digit
        } else if digit == 0xFF {
            problem = .init(
                offset: position - 1, code: .invalidDigit, message: "character \(position) is not a hex digit")
        }
        return nil
    }

    /// To be called at the end of the text.
    mutating func finish() {
        guard problem == nil, high != nil else { return }
        problem = .init(
            offset: position, code: .oddDigits, message: "the number of hex digits is odd: one is missing")
    }

    /// 0 ... 15; 0xFE for what counts for nothing, 0xFF for anything else.
    @inline(__always)
    static func digit(_ character: UInt8) -> UInt8 {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x41 + 10
        case 0x61...0x66: character - 0x61 + 10
        case 0x20, 0x09...0x0D, UInt8(ascii: ":"): 0xFE
        default: 0xFF
        }
    }
}
