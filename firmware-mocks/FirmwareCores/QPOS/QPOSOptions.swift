/// What a QPOS reader is made like.
struct QPOSOptions: Sendable, Hashable {
    enum Securing: String, Sendable, Hashable, CaseIterable {
        case clear, tdes, masked
    }

    var serial = "QP000001"
    var firmware = "QPOS Mock 1.00"
    var securing = Securing.tdes
    /// The card that is there from the start, and how.
    var card: String?
    var entry = CardPresentation.inserted
    /// Frames 23 before the answer of every command.
    var busyCount = 0
    /// The most data in one frame; more goes in parts.
    var partLength = QPOSMessage.longestFrame - QPOSMessage.overhead
    /// How long a query is held before it is answered with 23.
    var holdTime = Duration.seconds(1)
    /// Tells an answer that has come without waiting for the query.
    var isEager = false

    init(_ words: [String: String]) throws(CoreOptionError) {
        for (name, value) in words.sorted(by: { $0.key < $1.key }) {
            switch name {
            // Taken by the USB form.
            case "vid", "pid": continue
            case "serial": serial = value
            case "firmware": firmware = value
            case "sred":
                guard let securing = Securing(rawValue: value) else {
                    throw CoreOptionError(name, "must be clear, tdes or masked")
                }
                self.securing = securing
            case "card": card = value == "none" ? nil : value
            case "entry":
                guard let entry = CardPresentation(rawValue: value) else {
                    throw CoreOptionError(name, "must be inserted, tapped or swiped")
                }
                self.entry = entry
            case "busy": busyCount = try Self.number(value, name, 0...1_000_000)
            case "part": partLength = try Self.number(value, name, 1...partLength)
            case "hold": holdTime = .milliseconds(try Self.number(value, name, 0...90_000))
            case "eager":
                guard value == "yes" || value == "no" else { throw CoreOptionError(name, "must be yes or no") }
                isEager = value == "yes"
            default:
                throw CoreOptionError(
                    name,
                    "unknown; a QPOS reader knows busy, card, eager, entry, firmware, hold, part, serial, sred, vid and "
                        + "pid")
            }
        }
    }

    var terminal: FirmwareTerminal.Configuration {
        var configuration = FirmwareTerminal.Configuration()
        configuration.securing =
            switch securing {
            case .clear: .clear
            case .masked: .maskedOnly
            case .tdes: .encrypted(.test)
            }
        return configuration
    }

    private static func number(
        _ text: String, _ name: String, _ range: ClosedRange<Int>
    ) throws(CoreOptionError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw CoreOptionError(name, "must be \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
