/// The card's side of T=1 (ISO 7816-3, clause 11): blocks in, blocks out, with LRC, chaining both ways, retransmission,
/// IFS and waiting time extension.
final class T1CardLink {
    private let card: EMVCardCore
    /// The card takes this many bytes in a block; the reader took 32 until it says otherwise.
    private let cardSize: Int
    private var readerSize = 32
    private var sendNumber: UInt8 = 0
    private var expectedNumber: UInt8 = 0
    private var command: [UInt8] = []
    private var answer: [UInt8] = []
    private var lastBlock: [UInt8] = []
    private var isSending = false
    /// How many times the card asks for more time before its next answer.
    var extensions = 0

    /// Longest command that the card collects: an extended APDU is not expected.
    private static let longestCommand = 1024

    init(card: EMVCardCore) {
        self.card = card
        cardSize = Int(card.profile.maximumBlock)
    }

    func reset() {
        readerSize = 32
        restart()
    }

    private func restart() {
        sendNumber = 0
        expectedNumber = 0
        command = []
        answer = []
        lastBlock = []
        isSending = false
    }

    /// Empty when the card does not answer.
    func exchange(_ block: [UInt8]) -> [UInt8] {
        guard block.count >= 4, block.count == 4 + Int(block[2]) else { return ready(complaint: 0x02) }
        guard block.reduce(0, ^) == 0 else { return ready(complaint: 0x01) }
        let information = Array(block[3..<block.count - 1])
        switch block[1] {
        case 0x00..<0x80: return receive(block[1], information)
        case 0x80..<0xC0: return acknowledge(block[1])
        default: return supervise(block[1], information)
        }
    }

    private func receive(_ control: UInt8, _ information: [UInt8]) -> [UInt8] {
        guard control >> 6 & 1 == expectedNumber, information.count <= cardSize,
            command.count + information.count <= Self.longestCommand
        else { return ready(complaint: 0x02) }
        expectedNumber ^= 1
        isSending = false
        command += information
        if control & 0x20 != 0 { return ready(complaint: 0x00) }
        if extensions > 0 { return askForTime() }
        return perform()
    }

    private func perform() -> [UInt8] {
        answer = card.transmit(command)
        command = []
        guard !answer.isEmpty else { return [] }
        return sendNext()
    }

    private func askForTime() -> [UInt8] {
        extensions -= 1
        return emit(0xC3, [0x01])
    }

    private func sendNext() -> [UInt8] {
        let part = Array(answer.prefix(readerSize))
        answer.removeFirst(part.count)
        isSending = true
        let control = sendNumber << 6 | (answer.isEmpty ? 0 : 0x20)
        sendNumber ^= 1
        return emit(control, part)
    }

    private func acknowledge(_ control: UInt8) -> [UInt8] {
        if isSending, control & 0x0F == 0, control >> 4 & 1 == sendNumber, !answer.isEmpty { return sendNext() }
        return lastBlock.isEmpty ? ready(complaint: 0x00) : lastBlock
    }

    private func supervise(_ control: UInt8, _ information: [UInt8]) -> [UInt8] {
        switch control {
        case 0xC0:
            restart()
            return emit(0xE0, [])
        case 0xC1 where information.count == 1 && (1...254).contains(information[0]):
            readerSize = Int(information[0])
            return emit(0xE1, information)
        case 0xC2:
            command = []
            answer = []
            return emit(0xE2, [])
        case 0xE3:
            if extensions > 0 { return askForTime() }
            return command.isEmpty ? ready(complaint: 0x02) : perform()
        default:
            return ready(complaint: 0x02)
        }
    }

    /// An R-block: 0 acknowledges, 1 reports a bad LRC, 2 any other error.
    private func ready(complaint: UInt8) -> [UInt8] {
        emit(0x80 | expectedNumber << 4 | complaint, [], remember: complaint == 0)
    }

    private func emit(_ control: UInt8, _ information: [UInt8], remember: Bool = true) -> [UInt8] {
        let body = [0x00, control, UInt8(truncatingIfNeeded: information.count)] + information
        let block = body + [body.reduce(0, ^)]
        if remember { lastBlock = block }
        return block
    }
}
