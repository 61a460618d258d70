public import Crypto

/// The content of track 2 (ISO/IEC 7813; EMV tag 57). It has no text form but the masked PAN.
public struct Track2: Sendable, Equatable {
    /// A year and a month as the card gives them.
    public struct Expiry: Sendable, Equatable {
        /// 1950 ... 2049.
        public let year: Int
        /// 1 ... 12.
        public let month: Int
    }

    public let pan: PAN
    /// Nil when the card has a separator in its place, or no valid month.
    public let expiry: Expiry?
    /// Three digits; nil when the card has a separator in its place.
    public let serviceCode: String?
    /// The rest, one nibble a byte. Never stored after authorisation.
    public let discretionaryData: SecretBytes

    /// From the value of tag 57, at most 19 bytes. Nil when it is not a track 2.
    public init?(equivalent value: [UInt8]) {
        guard value.count <= 19 else { return nil }
        var nibbles = value.flatMap { [$0 >> 4, $0 & 0x0F] }
        defer { wipe(&nibbles) }
        while nibbles.last == 0x0F { nibbles.removeLast() }
        self.init(nibbles: nibbles)
    }

    /// From the characters of the stripe: separator `=` or `D`; sentinels `;` and `?` and what follows are dropped.
    public init?(text: String) {
        var nibbles: [UInt8] = []
        defer { wipe(&nibbles) }
        for (position, character) in text.utf8.enumerated() {
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): nibbles.append(character - UInt8(ascii: "0"))
            case UInt8(ascii: "="), UInt8(ascii: "D"), UInt8(ascii: "d"): nibbles.append(0x0D)
            case UInt8(ascii: ";") where position == 0: continue
            case UInt8(ascii: "?"):
                self.init(nibbles: nibbles)
                return
            default: return nil
            }
        }
        self.init(nibbles: nibbles)
    }

    private init?(nibbles: [UInt8]) {
        guard nibbles.count <= 37, nibbles.allSatisfy({ $0 <= 9 || $0 == 0x0D }),
            let separator = nibbles.firstIndex(of: 0x0D)
        else { return nil }
        var digits = Array(nibbles[..<separator])
        defer { wipe(&digits) }
        guard let pan = PAN(digits: digits) else { return nil }
        self.pan = pan
        var rest = nibbles[(separator + 1)...]
        guard let date = Self.take(4, from: &rest), let code = Self.take(3, from: &rest) else { return nil }
        expiry = Self.expiry(date)
        serviceCode = code.isEmpty ? nil : code.map(String.init).joined()
        discretionaryData = SecretBytes(rest)
    }

    /// The next digits; empty for a separator in their place; nil when they are not complete.
    private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        if rest.first == 0x0D {
            rest.removeFirst()
            return []
        }
        let taken = Array(rest.prefix(count))
        guard taken.count == count, !taken.contains(0x0D) else { return nil }
        rest.removeFirst(count)
        return taken
    }

    private static func expiry(_ digits: [UInt8]) -> Expiry? {
        guard digits.count == 4 else { return nil }
        let year = Int(digits[0] * 10 + digits[1])
        let month = Int(digits[2] * 10 + digits[3])
        guard (1...12).contains(month) else { return nil }
        return Expiry(year: year < 50 ? 2000 + year : 1900 + year, month: month)
    }
}

extension Track2: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { pan.masked }
    public var debugDescription: String { pan.masked }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
