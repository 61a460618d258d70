/// At which level a reader exchanges data with the card (dwFeatures bits 16 to 18; CCID 1.1, 5.1).
public enum CCIDExchangeLevel: String, Sendable, Hashable, CaseIterable {
    case character, tpdu, short, extended
}

/// What a CCID reader is made like.
struct CCIDOptions: Sendable, Hashable {
    var level = CCIDExchangeLevel.extended
    /// nil: the slot is empty.
    var card: String? = "visa-credit"
    var vendor: UInt16 = 0x08E6
    var product: UInt16 = 0x3437
    var serial = "C0001"
    var hasInterrupt = true
    var packetSize = 64
    var selectsVoltage: Bool?
    /// Whether a transfer that fills its last packet is ended by an empty one.
    var endsWithEmptyPacket = true
    var features: UInt32?
    var seed: UInt64 = 1

    init(_ words: [String: String]) throws(CoreOptionError) {
        for (name, value) in words.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "card": card = value == "none" ? nil : value
            case "level":
                guard let level = CCIDExchangeLevel(rawValue: value) else {
                    throw CoreOptionError(name, "must be short, extended, tpdu or character")
                }
                self.level = level
            case "serial": serial = value
            case "vid": vendor = try Self.number(value, name)
            case "pid": product = try Self.number(value, name)
            case "interrupt": hasInterrupt = try Self.choice(value, name)
            case "zlp": endsWithEmptyPacket = try Self.choice(value, name)
            case "autovoltage": selectsVoltage = try Self.choice(value, name)
            case "packet":
                guard value == "64" || value == "512" else { throw CoreOptionError(name, "must be 64 or 512") }
                packetSize = value == "64" ? 64 : 512
            case "features": features = try Self.number(value, name)
            case "seed":
                guard let seed = UInt64(value) else { throw CoreOptionError(name, "must be a whole number") }
                self.seed = seed
            default:
                throw CoreOptionError(
                    name,
                    "unknown; a CCID reader knows card, level, serial, vid, pid, interrupt, packet, autovoltage, "
                        + "zlp, features and seed")
            }
        }
    }

    /// dwFeatures.
    var featureBits: UInt32 {
        if let features { return features }
        var bits: UInt32 =
            switch level {
            case .extended: 0x0004_04FE
            case .short: 0x0002_04FE
            case .tpdu: 0x0001_0030
            case .character: 0x0000_0030
            }
        if let selectsVoltage {
            bits = selectsVoltage ? bits | 0x08 : bits & ~0x08
        }
        return bits
    }

    private static func number<Number: FixedWidthInteger>(
        _ text: String, _ name: String
    ) throws(CoreOptionError) -> Number {
        guard let number = Number(text, radix: 16) else { throw CoreOptionError(name, "must be hexadecimal") }
        return number
    }

    private static func choice(_ text: String, _ name: String) throws(CoreOptionError) -> Bool {
        guard text == "yes" || text == "no" else { throw CoreOptionError(name, "must be yes or no") }
        return text == "yes"
    }
}
