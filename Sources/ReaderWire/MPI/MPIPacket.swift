/// One packet.
public struct MPIPacket: Sendable, Hashable {
    /// The node addressed.
    public enum Node: UInt8, Sendable, Hashable, CaseIterable {
        case reader = 0x01
        case printer = 0x02
    }

    public var node: Node
    /// More packets of the same message follow.
    public var isChained: Bool
    /// Sent by the reader unasked.
    public var isUnsolicited: Bool
    /// 2 to 254 bytes.
    public var part: [UInt8]

    /// Nil for a part that no packet can carry.
    public init?(node: Node = .reader, isChained: Bool = false, isUnsolicited: Bool = false, part: [UInt8]) {
        guard (2...MPIPacketFormat.longestAPDUPart).contains(part.count) else { return nil }
        self.node = node
        self.isChained = isChained
        self.isUnsolicited = isUnsolicited
        self.part = part
    }

    public var bytes: [UInt8] {
        let control: UInt8 = (isChained ? 0x01 : 0) | (isUnsolicited ? 0x40 : 0)
        var bytes = [node.rawValue, control, UInt8(part.count)] + part
        bytes.append(CheckBytes.exclusiveOr(bytes.span))
        return bytes
    }

    /// Takes a whole packet apart, as a deframer delivers it; nil for anything else.
    public init?(parsing bytes: Span<UInt8>) {
        guard !bytes.isEmpty, MPIPacketFormat.candidate(in: bytes, at: 0) == .frame(length: bytes.count, isGood: true),
            let node = Node(rawValue: bytes[0])
        else { return nil }
        self.node = node
        isChained = bytes[1] & 0x01 != 0
        isUnsolicited = bytes[1] & 0x40 != 0
        part = bytes.extracting(3..<bytes.count - 1).array
    }

    public init?(parsing bytes: [UInt8]) { self.init(parsing: bytes.span) }

    /// The packets of a message. A last part of a single byte is not allowed: the one before gives a byte away.
    /// - Parameter message: at least 2 bytes; a shorter one has no packets.
    public static func packets(_ message: [UInt8], node: Node = .reader, isUnsolicited: Bool = false) -> [MPIPacket] {
        var packets: [MPIPacket] = []
        var rest = message[...]
        while rest.count >= 2 {
            var count = min(rest.count, MPIPacketFormat.longestAPDUPart)
            if rest.count - count == 1 { count -= 1 }
            let isChained = count < rest.count
            guard
                let packet = MPIPacket(
                    node: node, isChained: isChained, isUnsolicited: isUnsolicited, part: Array(rest.prefix(count)))
            else { return packets }
            packets.append(packet)
            rest = rest.dropFirst(count)
        }
        return packets
    }
}
