/// How the content of a field becomes bytes.
enum FieldEncoding: String, Hashable, Sendable, CaseIterable, Decodable {
    case ascii
    /// Code page 500.
    case ebcdic
    /// Two digits a byte; `=` of a track is the nibble D.
    case bcd
    /// Bytes as they are.
    case binary
    /// Two hexadecimal digits a byte, in ASCII; lengths count the digits.
    case hex
    /// The same in EBCDIC.
    case hexEBCDIC = "hex-ebcdic"

    /// Whether a value of this content can be encoded so.
    func suits(_ content: FieldFormat.Content) -> Bool {
        switch self {
        case .ascii, .ebcdic: content != .binary
        case .bcd: content == .numeric || content == .track
        case .binary, .hex, .hexEBCDIC: content == .binary
        }
    }
}

/// How a length prefix becomes bytes.
enum LengthEncoding: String, Hashable, Sendable, CaseIterable, Decodable {
    case ascii
    case ebcdic
    /// Two digits a byte, filled with a zero on the left.
    case bcd
    /// An unsigned number, most significant byte first: one byte for two digits, two bytes for three and four.
    case binary

    /// Bytes of a prefix of this many digits.
    func size(digits: Int) -> Int {
        switch self {
        case .ascii, .ebcdic: digits
        case .bcd: (digits + 1) / 2
        case .binary: digits <= 2 ? 1 : 2
        }
    }

    /// The largest length that a prefix of this many digits can say.
    func largest(digits: Int) -> Int {
        switch self {
        case .ascii, .ebcdic, .bcd: [0, 9, 99, 999, 9999][min(max(digits, 0), 4)]
        case .binary: digits <= 2 ? 255 : 65_535
        }
    }
}

/// What fills the last byte of an odd number of digits in BCD.
enum OddFiller: String, Hashable, Sendable, CaseIterable, Decodable {
    case leftZero = "left-0"
    case rightZero = "right-0"
    case rightF = "right-F"

    var isLeft: Bool { self == .leftZero }
    var nibble: UInt8 { self == .rightF ? 0x0F : 0 }
}
