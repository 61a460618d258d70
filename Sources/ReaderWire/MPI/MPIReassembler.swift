/// Puts messages together from chained packets. Unsolicited messages have a buffer of their own, since they may come
/// between two parts of an answer; they never complete a command.
public struct MPIReassembler: Sendable {
    public enum Event: Sendable, Hashable {
        case message([UInt8], isUnsolicited: Bool)
        /// A chain that goes on beyond the limit was given up; the rest of it is passed over.
        case tooLong(isUnsolicited: Bool)
    }

    /// The most bytes of a message. Answers of some kilobytes are known.
    public let longestMessage: Int
    private var solicited = Chain()
    private var unsolicited = Chain()

    public init(longestMessage: Int = 65_536) {
        self.longestMessage = longestMessage
    }

    public var heldCount: Int { solicited.bytes.count + unsolicited.bytes.count }

    /// Nil while more packets must follow.
    public mutating func take(_ packet: MPIPacket) -> Event? {
        packet.isUnsolicited
            ? unsolicited.take(packet, longestMessage) : solicited.take(packet, longestMessage)
    }

    /// Forgets open chains, after a silence or a bad packet.
    public mutating func reset() {
        solicited = Chain()
        unsolicited = Chain()
    }

    private struct Chain: Sendable {
        var bytes: [UInt8] = []
        private var isGivenUp = false

        mutating func take(_ packet: MPIPacket, _ limit: Int) -> Event? {
            defer {
                if !packet.isChained {
                    bytes = []
                    isGivenUp = false
                }
            }
            if isGivenUp { return nil }
            guard bytes.count + packet.part.count <= limit else {
                bytes = []
                isGivenUp = true
                return .tooLong(isUnsolicited: packet.isUnsolicited)
            }
            bytes += packet.part
            return packet.isChained ? nil : .message(bytes, isUnsolicited: packet.isUnsolicited)
        }
    }
}
