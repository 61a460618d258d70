/// One encoding under way.
struct MessageEncoder {
    private let profile: Profile
    private(set) var bytes: [UInt8] = []
    private(set) var layout: [Int: Range<Int>] = [:]

    init(_ profile: Profile) {
        self.profile = profile
    }

    mutating func encode(_ message: Message) throws(ISO8583Error) {
        let digits = Array(message.type.text.utf8)
        guard let type = Self.characters(digits, profile.typeEncoding, .leftZero) else { throw error(.messageType) }
        bytes = type
        appendBitmaps(message.fields.keys)
        for (number, value) in message.fields.sorted(by: { $0.key < $1.key }) {
            try append(number, value)
            guard bytes.count <= MessageCodec.largestMessage else { throw error(.messageTooLong, number) }
        }
    }

    private mutating func appendBitmaps(_ numbers: some Collection<Int>) {
        var bits = [UInt8](repeating: 0, count: numbers.contains { $0 > 64 } ? 16 : 8)
        if bits.count == 16 { bits[0] = 0x80 }
        for number in numbers { bits[(number - 1) / 8] |= 0x80 >> UInt8((number - 1) % 8) }
        bytes += Self.octets(bits, profile.bitmapEncoding)
    }

    private mutating func append(_ number: Int, _ value: FieldValue) throws(ISO8583Error) {
        guard let field = profile.fields[number] else { throw error(.undefinedField, number) }
        let content = try encoded(number, value, field)
        if field.format.lengthDigits == 0 {
            guard value.count == field.format.limit else { throw error(.wrongLength, number) }
        } else {
            guard value.count <= field.format.limit else { throw error(.tooLong, number) }
            appendLength(field.units(value.count), field)
        }
        layout[number] = bytes.count..<bytes.count + content.count
        bytes += content
    }

    private func encoded(
        _ number: Int, _ value: FieldValue, _ field: FieldSpecification
    ) throws(ISO8583Error) -> [UInt8] {
        switch value {
        case .bytes(let value):
            guard field.format.content == .binary else { throw error(.wrongKind, number) }
            return Self.octets(value, field.encoding)
        case .text(let text):
            guard field.format.content != .binary else { throw error(.wrongKind, number) }
            let value = Array(text.utf8)
            guard value.indices.allSatisfy({ field.format.allows(value[$0], at: $0) }),
                let content = Self.characters(value, field.encoding, field.filler)
            else { throw error(.character, number) }
            return content
        }
    }

    private static func characters(
        _ value: [UInt8], _ encoding: FieldEncoding, _ filler: OddFiller
    ) -> [UInt8]? {
        switch encoding {
        case .ascii: return value
        case .ebcdic:
            let codes = value.compactMap(EBCDIC.code)
            return codes.count == value.count ? codes : nil
        case .bcd: return PackedDigits.pack(value, filler)
        case .binary, .hex, .hexEBCDIC: return nil
        }
    }

    private static func octets(_ value: [UInt8], _ encoding: FieldEncoding) -> [UInt8] {
        switch encoding {
        case .hex: HexDigits.encode(value)
        case .hexEBCDIC: HexDigits.encode(value).compactMap(EBCDIC.code)
        case .binary, .ascii, .ebcdic, .bcd: value
        }
    }

    /// `length` fits: the profile was checked for it.
    private mutating func appendLength(_ length: Int, _ field: FieldSpecification) {
        let digits = field.format.lengthDigits
        let size = field.lengthEncoding.size(digits: digits)
        if field.lengthEncoding == .binary {
            bytes += size == 1 ? [UInt8(length & 0xFF)] : [UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
            return
        }
        var rest = length
        var characters = [UInt8](repeating: 0x30, count: digits)
        for index in characters.indices.reversed() {
            characters[index] = 0x30 + UInt8(rest % 10)
            rest /= 10
        }
        switch field.lengthEncoding {
        case .ascii, .binary: bytes += characters
        case .ebcdic: bytes += characters.compactMap(EBCDIC.code)
        case .bcd: bytes += PackedDigits.pack(characters, .leftZero) ?? []
        }
    }

    private func error(_ code: ISO8583Error.Code, _ field: Int? = nil) -> ISO8583Error {
        ISO8583Error(code, field: field, offset: bytes.count)
    }
}
