/// The card's side of T=0 (ISO 7816-3, clause 10) seen at TPDU level: a five-byte header with or without data in, data
/// and status word out.
final class T0CardLink {
    private let card: EMVCardCore
    /// What GET RESPONSE will hand out.
    private var waiting: [UInt8] = []

    init(card: EMVCardCore) {
        self.card = card
    }

    func reset() {
        waiting = []
    }

    /// Empty when the card does not answer.
    func exchange(_ unit: [UInt8]) -> [UInt8] {
        guard unit.count >= 4 else { return [0x67, 0x00] }
        let length = unit.count > 4 ? unit[4] : 0
        if unit[1] == 0xC0 { return getResponse(length) }
        waiting = []
        if unit[1] & 0xF0 == 0x60 || unit[1] & 0xF0 == 0x90 { return [0x6D, 0x00] }
        return Self.sendsData(unit[1]) ? outgoing(unit, length) : incoming(unit, length)
    }

    private static func sendsData(_ instruction: UInt8) -> Bool {
        [0xB2, 0xCA, 0x84].contains(instruction)
    }

    /// Instructions whose data is followed by an answer.
    private static func answersData(_ instruction: UInt8) -> Bool {
        [0xA4, 0xA8, 0xAE, 0x88].contains(instruction)
    }

    private func outgoing(_ unit: [UInt8], _ expected: UInt8) -> [UInt8] {
        guard unit.count <= 5 else { return [0x67, 0x00] }
        let answer = card.transmit(Array(unit.prefix(4)) + [0])
        guard answer.count > 2 else { return answer }
        let size = answer.count - 2
        return size == Int(expected) || size == 256 ? answer : [0x6C, UInt8(truncatingIfNeeded: size)]
    }

    private func incoming(_ unit: [UInt8], _ length: UInt8) -> [UInt8] {
        guard unit.count == 5 + Int(length) || unit.count == 4 else { return [0x67, 0x00] }
        let hasData = length > 0
        let answer = card.transmit(
            Array(unit.prefix(4)) + (hasData ? unit.dropFirst(4) : [])
                + (Self.answersData(unit[1]) ? [0] : []))
        guard answer.count > 2 else { return answer }
        waiting = Array(answer.dropLast(2))
        let status = Array(answer.suffix(2))
        guard status == [0x90, 0x00] else { return status }
        return [0x61, UInt8(truncatingIfNeeded: waiting.count)]
    }

    private func getResponse(_ expected: UInt8) -> [UInt8] {
        guard !waiting.isEmpty else { return [0x69, 0x85] }
        guard expected > 0, Int(expected) <= waiting.count else {
            return [0x6C, UInt8(truncatingIfNeeded: waiting.count)]
        }
        let part = Array(waiting.prefix(Int(expected)))
        waiting.removeFirst(Int(expected))
        return part + (waiting.isEmpty ? [0x90, 0x00] : [0x61, UInt8(truncatingIfNeeded: waiting.count)])
    }
}
