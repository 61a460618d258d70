/// A short command APDU as the card reads it (ISO 7816-4, 5.1).
struct CardCommand: Sendable, Hashable {
    var `class`: UInt8
    var instruction: UInt8
    var p1: UInt8
    var p2: UInt8
    var data: [UInt8]
    /// Le as sent: 0 stands for 256. Nil when there is none.
    var expected: UInt8?

    enum Reading {
        case command(CardCommand)
        case wrongLength
    }

    static func read(_ apdu: [UInt8]) -> Reading {
        guard apdu.count >= 4 else { return .wrongLength }
        var command = CardCommand(
            class: apdu[0], instruction: apdu[1], p1: apdu[2], p2: apdu[3], data: [], expected: nil)
        switch apdu.count {
        case 4: return .command(command)
        case 5: command.expected = apdu[4]
        default:
            let length = Int(apdu[4])
            guard length > 0, apdu.count == 5 + length || apdu.count == 6 + length else { return .wrongLength }
            command.data = Array(apdu[5..<5 + length])
            if apdu.count == 6 + length { command.expected = apdu[5 + length] }
        }
        return .command(command)
    }
}

/// What the card answers.
struct CardReply: Sendable, Hashable {
    var data: [UInt8]
    var status: UInt16

    init(_ data: [UInt8] = [], status: UInt16 = 0x9000) {
        self.data = data
        self.status = status
    }

    var bytes: [UInt8] { data + [UInt8(status >> 8), UInt8(status & 0xFF)] }

    static let wrongLength = CardReply(status: 0x6700)
    static let conditionsNotSatisfied = CardReply(status: 0x6985)
    static let fileNotFound = CardReply(status: 0x6A82)
    static let recordNotFound = CardReply(status: 0x6A83)
    static let wrongParameters = CardReply(status: 0x6A86)
    static let referenceNotFound = CardReply(status: 0x6A88)
    static let unknownInstruction = CardReply(status: 0x6D00)
    static let unknownClass = CardReply(status: 0x6E00)
}
