/// A bulk message to the reader (CCID 1.1, 6.1): ten header bytes, then data.
struct CCIDMessage: Sendable, Hashable {
    static let headerSize = 10

    var type: UInt8
    /// dwLength as the header states it.
    var statedLength: UInt32
    var slot: UInt8
    var sequence: UInt8
    /// Bytes 7 to 9.
    var parameters: [UInt8]
    var data: [UInt8]

    /// Nil when there is no whole header.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerSize else { return nil }
        type = bytes[0]
        statedLength = Self.length(in: bytes)
        slot = bytes[5]
        sequence = bytes[6]
        parameters = Array(bytes[7..<10])
        data = Array(bytes[10...])
    }

    /// wLevelParameter of XfrBlock.
    var levelParameter: UInt16 { UInt16(parameters[1]) | UInt16(parameters[2]) << 8 }

    /// dwLength of a message of at least five bytes.
    static func length(in bytes: [UInt8]) -> UInt32 {
        UInt32(bytes[1]) | UInt32(bytes[2]) << 8 | UInt32(bytes[3]) << 16 | UInt32(bytes[4]) << 24
    }
}

/// A bulk message from the reader (CCID 1.1, 6.2).
struct CCIDReply: Sendable, Hashable {
    enum Kind: UInt8, Sendable {
        case dataBlock = 0x80
        case slotStatus = 0x81
        case parameters = 0x82
        case escape = 0x83
        case dataRate = 0x84
    }

    var kind: Kind
    var slot: UInt8
    var sequence: UInt8
    /// bStatus: bits 0 and 1 the card, bits 6 and 7 the command.
    var status: UInt8
    var error: UInt8 = 0
    /// bChainParameter, bProtocolNum, bClockStatus.
    var last: UInt8 = 0
    var data: [UInt8] = []

    var bytes: [UInt8] {
        let length = UInt32(truncatingIfNeeded: data.count)
        let size = (0..<4).map { UInt8(truncatingIfNeeded: length >> UInt32(8 * $0)) }
        return [kind.rawValue] + size + [slot, sequence, status, error, last] + data
    }
}

/// bError of a failed command (CCID 1.1, table 6.2-2). Values from 1 to 127 are the offset of the wrong header byte.
enum CCIDError {
    static let notSupported: UInt8 = 0x00
    static let badLength: UInt8 = 0x01
    static let noSuchSlot: UInt8 = 0x05
    static let badFirstParameter: UInt8 = 0x07
    static let badSecondParameter: UInt8 = 0x08
    static let slotBusy: UInt8 = 0xE0
    static let cardMute: UInt8 = 0xFE
    static let aborted: UInt8 = 0xFF
}
