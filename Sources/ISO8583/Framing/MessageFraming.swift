/// How messages are told apart on a byte stream: a length prefix, and a header that may follow it.
public struct MessageFraming: Hashable, Sendable {
    public enum LengthPrefix: String, Hashable, Sendable, CaseIterable {
        /// Two bytes, most significant first.
        case binary2 = "binary-2"
        /// Four ASCII digits.
        case ascii4 = "ascii-4"
        /// Four digits in two bytes.
        case bcd2 = "bcd-2"

        var size: Int { self == .ascii4 ? 4 : 2 }
        var largest: Int { self == .binary2 ? 65_535 : 9_999 }
    }

    public let prefix: LengthPrefix
    /// Sent before each message, after the prefix; for example a TPDU, 60 00 00 00 00.
    public let header: [UInt8]
    /// The prefix counts the header too.
    public let lengthCountsHeader: Bool
    /// The header is a TPDU: an identifier, two bytes destination, two bytes origin. An answer has the two exchanged.
    public let swapsAddresses: Bool
    /// Bytes of the longest message that is accepted, without its header.
    public let limit: Int

    /// Nil when the header is over 32 bytes, is to be swapped and is not five bytes long, or the limit is not 1 ... what
    /// the prefix can say.
    public init?(
        prefix: LengthPrefix = .binary2, header: [UInt8] = [], lengthCountsHeader: Bool = true,
        swapsAddresses: Bool = false, limit: Int = 4_096
    ) {
        guard header.count <= 32, !swapsAddresses || header.count == 5, limit > 0,
            limit + header.count <= prefix.largest
        else { return nil }
        self.prefix = prefix
        self.header = header
        self.lengthCountsHeader = lengthCountsHeader
        self.swapsAddresses = swapsAddresses
        self.limit = limit
    }

    private init() {
        prefix = .binary2
        header = []
        lengthCountsHeader = true
        swapsAddresses = false
        limit = 4_096
    }

    /// Two bytes of length and nothing else.
    public static let plain = MessageFraming()

    /// A message with its prefix and this side's header. Nil when the message is empty or over the limit.
    public func frame(_ message: [UInt8]) -> [UInt8]? {
        frame(message, header: header)
    }

    /// The answer to a message that came with `header`: the same header, with its addresses exchanged when they are ones.
    public func frame(_ message: [UInt8], answering header: [UInt8]) -> [UInt8]? {
        guard swapsAddresses, header.count == 5 else { return frame(message, header: header) }
        return frame(message, header: [header[0], header[3], header[4], header[1], header[2]])
    }

    private func frame(_ message: [UInt8], header: [UInt8]) -> [UInt8]? {
        guard !message.isEmpty, message.count <= limit, header.count == self.header.count else { return nil }
        let length = message.count + (lengthCountsHeader ? header.count : 0)
        let prefix: [UInt8] =
            switch self.prefix {
            case .binary2: [UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
            case .ascii4: Self.digits(length).map { 0x30 + $0 }
            case .bcd2: Self.packed(Self.digits(length))
            }
        return prefix + header + message
    }

    private static func digits(_ length: Int) -> [UInt8] {
        [length / 1000, length / 100, length / 10, length].map { UInt8($0 % 10) }
    }

    private static func packed(_ digits: [UInt8]) -> [UInt8] {
        [digits[0] << 4 | digits[1], digits[2] << 4 | digits[3]]
    }
}
