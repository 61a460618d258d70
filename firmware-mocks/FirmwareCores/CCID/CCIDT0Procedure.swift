/// How a reader at APDU level carries a short APDU over T=0 (ISO 7816-3, clause 12): it fetches answers with GET
/// RESPONSE and repeats a command whose Le was wrong, so that the host sees one whole answer.
enum CCIDT0Procedure {
    /// Enough for any real chain, and an end for a card that never stops.
    private static let rounds = 16

    /// Empty when the card does not answer.
    static func run(_ apdu: [UInt8], exchange: ([UInt8]) -> [UInt8]) -> [UInt8] {
        guard case .command(let command) = CardCommand.read(apdu) else { return [0x67, 0x00] }
        let head = Array(apdu.prefix(4))
        let hasData = !command.data.isEmpty
        var unit = head + (hasData ? [UInt8(command.data.count)] + command.data : [command.expected ?? 0])
        var collected: [UInt8] = []
        var warning: [UInt8]?
        for _ in 0..<rounds {
            let answer = exchange(unit)
            guard answer.count >= 2 else { return [] }
            collected += answer.dropLast(2)
            let status = Array(answer.suffix(2))
            let getResponse = [head[0] & 0x03, 0xC0, 0x00, 0x00]
            switch status[0] {
            case 0x61 where command.expected != nil:
                unit = getResponse + [status[1]]
            case 0x6C where unit.count == 5:
                unit[4] = status[1]
            case 0x62...0x63 where hasData && command.expected != nil && warning == nil && collected.isEmpty:
                warning = status
                unit = getResponse + [0x00]
            default:
                return collected + (warning ?? status)
            }
        }
        return [0x6F, 0x00]
    }
}
