/// What an MPI or VIPA reader is made like.
struct MPIOptions: Sendable, Hashable {
    enum Securing: String, Sendable, Hashable, CaseIterable {
        case clear, tdes, masked
    }

    /// What answers an abort while a transaction waits: the abort alone, the transaction alone, or both.
    enum AbortAnswer: String, Sendable, Hashable, CaseIterable {
        case abort, transaction, both
    }

    var serial = "01234567"
    var firmware = "1-51 Mock"
    var securing = Securing.tdes
    var card: String?
    var entry = CardPresentation.inserted
    /// The most bytes of an APDU in one packet.
    var partLength = MPIMessage.longestPart
    var abortAnswer = AbortAnswer.both
    /// Verifone: says that it is on before it is asked anything; asks for decisions in EA.
    var isVIPA = false
    /// Knows D0 60.
    var tellsCardStatus = true

    init(_ words: [String: String]) throws(CoreOptionError) {
        for (name, value) in words.sorted(by: { $0.key < $1.key }) {
            switch name {
            // Taken by the USB form.
            case "vid", "pid": continue
            case "serial": serial = value
            case "firmware": firmware = value
            case "sred": securing = try Self.choice(value, name)
            case "card": card = value == "none" ? nil : value
            case "entry": entry = try Self.choice(value, name)
            case "abort": abortAnswer = try Self.choice(value, name)
            case "vipa": isVIPA = try Self.flag(value, name)
            case "card-status": tellsCardStatus = try Self.flag(value, name)
            case "part":
                guard let length = Int(value), (2...MPIMessage.longestPart).contains(length) else {
                    throw CoreOptionError(name, "must be 2 to \(MPIMessage.longestPart)")
                }
                partLength = length
            default:
                throw CoreOptionError(
                    name,
                    "unknown; an MPI reader knows abort, card, card-status, entry, firmware, part, serial, sred, vid, pid "
                        + "and vipa")
            }
        }
    }

    var terminal: FirmwareTerminal.Configuration {
        var configuration = FirmwareTerminal.Configuration()
        // Which stripe may be used is for the host to decide.
        configuration.refusesChipStripe = false
        configuration.securing =
            switch securing {
            case .clear: .clear
            case .masked: .maskedOnly
            case .tdes: .encrypted(.test)
            }
        return configuration
    }

    private static func choice<Value: RawRepresentable & CaseIterable>(
        _ text: String, _ name: String
    ) throws(CoreOptionError) -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: text) else {
            throw CoreOptionError(name, "must be one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    private static func flag(_ text: String, _ name: String) throws(CoreOptionError) -> Bool {
        guard text == "yes" || text == "no" else { throw CoreOptionError(name, "must be yes or no") }
        return text == "yes"
    }
}
