/// A message from the reader (CCID 1.1, 6.2).
public struct CCIDResponse: Sendable, Hashable {
    public var type: CCIDMessageType.Response
    public var slot: UInt8
    public var sequence: UInt8
    public var status: CCIDSlotStatus
    /// bError: the reason when the command failed, the multiplier of a time extension, else without meaning.
    public var error: UInt8
    /// Header byte 9: chain parameter, clock status or protocol number, by type.
    public var specific: UInt8
    public var data: [UInt8]

    public init(
        _ type: CCIDMessageType.Response, slot: UInt8, sequence: UInt8, status: CCIDSlotStatus, error: UInt8 = 0,
        specific: UInt8 = 0, data: [UInt8] = []
    ) {
        self.type = type
        self.slot = slot
        self.sequence = sequence
        self.status = status
        self.error = error
        self.specific = specific
        self.data = data
    }

    /// From exactly one whole message.
    public init(parsing bytes: [UInt8]) throws(CCIDFrameError) {
        guard bytes.count >= CCIDCommand.headerLength else { throw .tooShort(bytes.count) }
        guard let type = CCIDMessageType.Response(rawValue: bytes[0]) else { throw .unknownType(bytes[0]) }
        let length = Self.dataLength(bytes)
        guard length == bytes.count - CCIDCommand.headerLength else {
            throw .wrongLength(stated: length, present: bytes.count - CCIDCommand.headerLength)
        }
        self.type = type
        slot = bytes[5]
        sequence = bytes[6]
        status = CCIDSlotStatus(byte: bytes[7])
        error = bytes[8]
        specific = bytes[9]
        data = Array(bytes[10...])
    }

    public var bytes: [UInt8] {
        let length = UInt32(data.count)
        let lengthBytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: length >> $0) }
        return [type.rawValue] + lengthBytes + [slot, sequence, status.byte, error, specific] + data
    }

    /// dwLength of a header; the caller has checked that there are ten bytes.
    static func dataLength(_ bytes: [UInt8]) -> Int {
        Int(bytes[1]) | Int(bytes[2]) << 8 | Int(bytes[3]) << 16 | Int(bytes[4]) << 24
    }
}

/// bStatus (CCID 1.1, 6.2.6): what the card is doing and how the command went.
public struct CCIDSlotStatus: Sendable, Hashable {
    public enum Card: UInt8, Sendable, Hashable, CaseIterable {
        /// Present, powered, and ready.
        case active = 0
        /// Present, not powered.
        case inactive = 1
        case absent = 2
        /// Reserved by the standard.
        case reserved = 3

        public var name: String {
            switch self {
            case .active: "a card is present and active"
            case .inactive: "a card is present and inactive"
            case .absent: "no card is present"
            case .reserved: "reserved card status"
            }
        }
    }

    public enum Command: UInt8, Sendable, Hashable, CaseIterable {
        case succeeded = 0
        /// bError says why.
        case failed = 1
        /// The card needs more time: keep waiting for the same sequence number.
        case timeExtension = 2
        /// Reserved by the standard.
        case reserved = 3

        public var name: String {
            switch self {
            case .succeeded: "processed without error"
            case .failed: "failed"
            case .timeExtension: "time extension is requested"
            case .reserved: "reserved command status"
            }
        }
    }

    public var card: Card
    public var command: Command

    public init(card: Card, command: Command) {
        self.card = card
        self.command = command
    }

    /// Bits 1-0 card, bits 7-6 command; the rest is reserved and ignored.
    public init(byte: UInt8) {
        card = Card(rawValue: byte & 0x03) ?? .reserved
        command = Command(rawValue: byte >> 6) ?? .reserved
    }

    public var byte: UInt8 { command.rawValue << 6 | card.rawValue }
}

/// Why bytes are no message of a CCID reader.
public enum CCIDFrameError: Error, Sendable, Hashable {
    /// Fewer than the ten bytes of a header.
    case tooShort(Int)
    case unknownType(UInt8)
    /// dwLength is more than dwMaxCCIDMessageLength allows.
    case tooLong(stated: Int, limit: Int)
    case wrongLength(stated: Int, present: Int)
}

extension CCIDFrameError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooShort(let count): "a message of \(count) bytes is shorter than its header"
        case .unknownType(let type): "message type \(type) is unknown"
        case .tooLong(let stated, let limit): "the message says \(stated) bytes, more than the \(limit) allowed"
        case .wrongLength(let stated, let present): "the message says \(stated) bytes and has \(present)"
        }
    }
}
