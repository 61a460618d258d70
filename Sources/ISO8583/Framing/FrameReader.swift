/// Cuts a byte stream into messages, however its bytes arrive. It holds at most one message's bytes beyond what it was
/// given at once.
public struct FrameReader: Sendable {
    public struct Frame: Hashable, Sendable {
        public let header: [UInt8]
        public let message: [UInt8]

        public init(header: [UInt8], message: [UInt8]) {
            self.header = header
            self.message = message
        }
    }

    public enum Fault: Error, Hashable, Sendable {
        /// The prefix is not a number.
        case prefix
        /// The message is longer than the framing's limit, or has no room for its header.
        case length(Int)
    }

    private let framing: MessageFraming
    private var buffer: [UInt8] = []

    public init(_ framing: MessageFraming) {
        self.framing = framing
    }

    /// Bytes of a message that has begun and not ended are waiting.
    public var isInsideMessage: Bool { !buffer.isEmpty }

    /// Adds bytes as they came.
    public mutating func append(_ bytes: [UInt8]) {
        buffer += bytes
    }

    /// The next whole message; nil until more bytes are there. Empty messages, which some hosts send to keep a line
    /// alive, are skipped. After a fault the stream cannot be trusted any more: close it.
    public mutating func next() throws(Fault) -> Frame? {
        let (size, header) = (framing.prefix.size, framing.header.count)
        while buffer.count >= size {
            let length = try self.length()
            if length == 0 {
                buffer.removeFirst(size)
                continue
            }
            let body = framing.lengthCountsHeader ? length : length + header
            guard body > header, body - header <= framing.limit else { throw .length(length) }
            guard buffer.count >= size + body else { return nil }
            let frame = Frame(
                header: Array(buffer[size..<size + header]), message: Array(buffer[size + header..<size + body]))
            buffer.removeFirst(size + body)
            return frame
        }
        return nil
    }

    private func length() throws(Fault) -> Int {
        switch framing.prefix {
        case .binary2: return Int(buffer[0]) << 8 | Int(buffer[1])
        case .ascii4: return try number(buffer[0..<4].map { $0 &- 0x30 })
        case .bcd2: return try number(buffer[0..<2].flatMap { [$0 >> 4, $0 & 0x0F] })
        }
    }

    private func number(_ digits: [UInt8]) throws(Fault) -> Int {
        guard digits.allSatisfy({ $0 < 10 }) else { throw .prefix }
        return digits.reduce(0) { $0 * 10 + Int($1) }
    }
}
