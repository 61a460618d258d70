/// What to do next in an exchange of status words.
public enum StatusWordAction: Sendable, Hashable {
    /// Send these bytes to the card and hand its response to `receive`.
    case send([UInt8])
    /// The data of all responses, then SW1 SW2.
    case complete([UInt8])
    /// The exchange is over without an answer.
    case fail(T0Error)
}

/// Gathers response data over several commands, within the limits that keep a hostile card from holding the terminal.
struct ResponseCollector: Sendable, Hashable {
    static let maximumRounds = 16
    /// Data and status word, in bytes.
    static let maximumLength = 65_538

    struct Response {
        let data: ArraySlice<UInt8>
        let sw1: UInt8
        let sw2: UInt8
    }

    private(set) var data: [UInt8] = []
    private var rounds = 0

    mutating func countRound() throws(T0Error) {
        guard rounds < Self.maximumRounds else { throw .tooManyRounds }
        rounds += 1
    }

    /// SW1 60 is a procedure byte, and the values outside 6x and 9x mean nothing (ISO/IEC 7816-3, 10.3.3).
    func split(_ bytes: [UInt8], maximumLength: Int) throws(T0Error) -> Response {
        guard bytes.count >= 2 else { throw .responseTooShort }
        guard bytes.count <= maximumLength else { throw .responseTooLong }
        let (sw1, sw2) = (bytes[bytes.count - 2], bytes[bytes.count - 1])
        guard (0x61...0x6F).contains(sw1) || (0x90...0x9F).contains(sw1) else { throw .invalidStatusWord }
        return Response(data: bytes.dropLast(2), sw1: sw1, sw2: sw2)
    }

    mutating func append(_ part: ArraySlice<UInt8>) throws(T0Error) {
        guard part.count <= Self.maximumLength - 2 - data.count else { throw .responseTooLong }
        data += part
    }
}
