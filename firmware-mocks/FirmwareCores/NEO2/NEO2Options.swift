/// What a NEO2 reader is made like.
struct NEO2Options: Sendable, Hashable {
    enum Securing: String, Sendable, Hashable, CaseIterable {
        case clear, tdes, masked
    }

    var vendor: UInt16 = 0x0ACD
    var product: UInt16 = 0x3530
    var serial = "310T061040"
    var firmware = "VP3300 Mock 1.00"
    var securing = Securing.tdes
    var showsServiceCode = true
    /// Lights and interim answers while a transaction runs.
    var isChatty = false
    /// The card that is there from the start, and how: `visa-credit`, with `entry` inserted, tapped or swiped.
    var card: String?
    var entry = CardPresentation.inserted
    /// Answers 60-xx with "unknown command".
    var hasContact = true

    init(_ words: [String: String]) throws(CoreOptionError) {
        for (name, value) in words.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "vid": vendor = try Self.number(value, name)
            case "pid": product = try Self.number(value, name)
            case "serial": serial = value
            case "firmware": firmware = value
            case "sred":
                guard let securing = Securing(rawValue: value) else {
                    throw CoreOptionError(name, "must be clear, tdes or masked")
                }
                self.securing = securing
            case "service-code": showsServiceCode = try Self.choice(value, name)
            case "chatty": isChatty = try Self.choice(value, name)
            case "contact": hasContact = try Self.choice(value, name)
            case "card": card = value == "none" ? nil : value
            case "entry":
                guard let entry = CardPresentation(rawValue: value) else {
                    throw CoreOptionError(name, "must be inserted, tapped or swiped")
                }
                self.entry = entry
            default:
                throw CoreOptionError(
                    name,
                    "unknown; a NEO2 reader knows card, entry, sred, service-code, chatty, contact, firmware, serial, "
                        + "vid and pid")
            }
        }
    }

    var terminal: FirmwareTerminal.Configuration {
        var configuration = FirmwareTerminal.Configuration()
        // The menu of applications is not published; the stripe of a chip card is for the host to refuse.
        configuration.offersChoice = false
        configuration.refusesChipStripe = false
        configuration.securing =
            switch securing {
            case .clear: .clear
            case .masked: .maskedOnly
            case .tdes: .encrypted(.test, showsServiceCode: showsServiceCode)
            }
        return configuration
    }

    private static func number(_ text: String, _ name: String) throws(CoreOptionError) -> UInt16 {
        guard let number = UInt16(text, radix: 16) else { throw CoreOptionError(name, "must be hexadecimal") }
        return number
    }

    private static func choice(_ text: String, _ name: String) throws(CoreOptionError) -> Bool {
        guard text == "yes" || text == "no" else { throw CoreOptionError(name, "must be yes or no") }
        return text == "yes"
    }
}
