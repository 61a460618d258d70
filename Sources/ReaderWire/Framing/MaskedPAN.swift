/// A card number as a secured reader hands it out: some digits, and masks for the rest. Made of masked copies only; a
/// number in clear is refused, so that it cannot be shown by mistake.
public struct MaskedPAN: Sendable, Hashable {
    /// Digits and `*`, 8 to 19 characters.
    public let text: String

    /// - Parameter characters: ASCII digits and masks (`*` or `X`), such as `4761********0043`.
    public init?(ascii characters: some Collection<UInt8>) {
        let masked = characters.map { character -> UInt8 in
            switch character {
            case 0x30...0x39: character
            case UInt8(ascii: "*"), UInt8(ascii: "X"), UInt8(ascii: "x"): UInt8(ascii: "*")
            default: 0
            }
        }
        guard (8...19).contains(masked.count), !masked.contains(0) else { return nil }
        // At most the first six and the last four digits: anything more is not masked.
        let star = UInt8(ascii: "*")
        guard masked.count(where: { $0 == star }) >= 4,
            masked.dropFirst(6).dropLast(4).allSatisfy({ $0 == star })
        else { return nil }
        text = String(decoding: masked, as: UTF8.self)
    }

    /// From the value of tag 5A or the beginning of 57: nibbles, where A, B, C or E masks a digit, up to D or F.
    public init?(nibbles bytes: some Collection<UInt8>) {
        var characters: [UInt8] = []
        reading: for byte in bytes {
            for nibble in [byte >> 4, byte & 0x0F] {
                switch nibble {
                case 0...9: characters.append(0x30 + nibble)
                case 0xD, 0xF: break reading
                default: characters.append(UInt8(ascii: "*"))
                }
            }
        }
        self.init(ascii: characters)
    }

    /// Nil when the reader masked them too.
    public var lastFour: String? {
        let end = text.suffix(4)
        return end.contains("*") ? nil : String(end)
    }
}
