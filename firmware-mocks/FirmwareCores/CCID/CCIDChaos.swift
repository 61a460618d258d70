/// Faults at random that a patient driver survives: the reader stays plugged in and the card stays in its slot. The same
/// seed gives the same faults.
struct CCIDChaos: Sendable {
    private var random: SeededGenerator
    private let percent: UInt64

    private static let choices: [CCIDFault] = [
        .silent, .late(.milliseconds(50)), .stall, .short, .wrongSequence, .stale, .twice, .glued, .garbageBefore,
        .oversized, .timeExtension(2), .badStatus, .drip(.milliseconds(1)),
    ]

    init(seed: UInt64, percent: UInt64) {
        random = SeededGenerator(seed: seed)
        self.percent = percent
    }

    mutating func next() -> CCIDFault? {
        guard random.next() % 100 < percent else { return nil }
        return Self.choices.randomElement(using: &random)
    }
}
