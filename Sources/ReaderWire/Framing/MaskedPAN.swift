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

    /// From the value of tag 5A or the beginning of 57: 12 to 19 nibbles, where A, B, C or E, always the same one, masks a
    /// digit, up to D, or to F and nothing else until the end. Strict, since encrypted copies come under the same tags:
    /// one of thirty would pass for a masked number of ten digits with masks of several kinds.
    public init?(nibbles bytes: some Collection<UInt8>) {
        let nibbles = bytes.flatMap { [$0 >> 4, $0 & 0x0F] }
        let number = nibbles.prefix { $0 != 0x0D && $0 != 0x0F }
        let rest = nibbles[number.endIndex...]
        guard (12...19).contains(number.count), rest.first != 0x0F || rest.allSatisfy({ $0 == 0x0F }),
            Set(number.filter { $0 > 9 }).count == 1
        else { return nil }
        self.init(ascii: number.map { $0 <= 9 ? 0x30 + $0 : UInt8(ascii: "*") })
    }

    /// Nil when the reader masked them too.
    public var lastFour: String? {
        let end = text.suffix(4)
        return end.contains("*") ? nil : String(end)
    }
}
