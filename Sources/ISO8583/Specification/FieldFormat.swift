/// A field as the standard writes it: `n 6`, `n..19`, `z..37`, `ans...999`, `b 8` (ISO 8583:1987, 4.3).
/// Binary lengths are in bytes.
struct FieldFormat: Hashable, Sendable {
    enum Content: String, Hashable, Sendable, CaseIterable {
        case numeric = "n"
        case alphabetic = "a"
        case alphanumeric = "an"
        case text = "ans"
        /// Track data: digits and `=`; `D` is accepted for it.
        case track = "z"
        /// C or D, then digits: an amount with its sign.
        case signedNumeric = "xn"
        case binary = "b"
    }

    let content: Content
    /// Digits of the length prefix; 0 when the length is fixed.
    let lengthDigits: Int
    /// The length, or the largest one.
    let limit: Int

    /// Nil when it is not of that form. Whether a length prefix can say the limit depends on its encoding.
    init?(_ notation: String) {
        let name = notation.prefix { $0.isLetter }
        let dots = notation.dropFirst(name.count).prefix { $0 == "." }
        let number = notation.dropFirst(name.count + dots.count)
        guard let content = Content(rawValue: String(name)), [0, 2, 3, 4].contains(dots.count),
            dots.isEmpty == number.hasPrefix(" "), let limit = Int(dots.isEmpty ? number.dropFirst() : number),
            limit > 0, limit <= 9_999
        else { return nil }
        self.content = content
        lengthDigits = dots.count
        self.limit = limit
    }

    /// Whether `byte`, in ASCII, may stand at `position` of a value.
    func allows(_ byte: UInt8, at position: Int) -> Bool {
        switch content {
        case .numeric: (0x30...0x39).contains(byte)
        case .alphabetic: Self.isLetter(byte) || byte == 0x20
        case .alphanumeric: (0x30...0x39).contains(byte) || Self.isLetter(byte) || byte == 0x20
        case .text: (0x20...0x7E).contains(byte)
        case .track: (0x30...0x39).contains(byte) || byte == 0x3D || byte == 0x44
        case .signedNumeric: position == 0 ? byte == 0x43 || byte == 0x44 : (0x30...0x39).contains(byte)
        case .binary: false
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
