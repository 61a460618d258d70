/// Puts messages together from whatever the bulk IN pipe delivers: a message may span several transfers, and a transfer
/// may hold several messages. Keeps at most one message and one transfer in memory.
public struct CCIDFrameAssembler: Sendable {
    private let maximumMessageLength: Int
    private var buffer: [UInt8] = []

    /// - Parameter maximumMessageLength: dwMaxCCIDMessageLength, header included.
    public init(maximumMessageLength: Int) {
        self.maximumMessageLength = max(maximumMessageLength, CCIDCommand.headerLength)
    }

    /// True when nothing is left over.
    public var isEmpty: Bool { buffer.isEmpty }

    /// Adds what a transfer brought.
    public mutating func append(_ bytes: [UInt8]) {
        buffer += bytes
    }

    /// Forgets a broken or abandoned message.
    public mutating func reset() {
        buffer = []
    }

    /// The next whole message; nil when more bytes are needed.
    /// - Throws: `CCIDFrameError` when what is there cannot become a message. There is no mark to find the next one by, so
    ///   everything held is dropped.
    public mutating func next() throws(CCIDFrameError) -> CCIDResponse? {
        guard let first = buffer.first else { return nil }
        guard CCIDMessageType.Response(rawValue: first) != nil else {
            reset()
            throw .unknownType(first)
        }
        guard buffer.count >= CCIDCommand.headerLength else { return nil }
        let length = CCIDResponse.dataLength(buffer)
        let total = CCIDCommand.headerLength + length
        guard total <= maximumMessageLength else {
            reset()
            throw .tooLong(stated: length, limit: maximumMessageLength - CCIDCommand.headerLength)
        }
        guard buffer.count >= total else { return nil }
        let message = Array(buffer[..<total])
        buffer.removeFirst(total)
        return try CCIDResponse(parsing: message)
    }
}
