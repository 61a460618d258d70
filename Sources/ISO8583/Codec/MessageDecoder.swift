/// One decoding under way.
struct MessageDecoder {
    private let bytes: [UInt8]
    private let profile: Profile
    private var offset = 0
    private(set) var layout: [Int: Range<Int>] = [:]

    init(_ bytes: [UInt8], _ profile: Profile) {
        self.bytes = bytes
        self.profile = profile
    }

    mutating func decode() throws(ISO8583Error) -> Message {
        guard bytes.count <= MessageCodec.largestMessage else { throw error(.messageTooLong) }
        var message = Message(try type())
        for number in try fieldNumbers() {
            guard let field = profile.fields[number] else { throw error(.undefinedField, number) }
            message[number] = try value(number, field)
        }
        guard offset == bytes.count else { throw error(.trailingBytes) }
        return message
    }

    private mutating func type() throws(ISO8583Error) -> MessageType {
        let start = offset
        let raw = try take(profile.typeEncoding == .bcd ? 2 : 4, nil)
        guard let digits = try? Self.characters(raw, count: 4, profile.typeEncoding, .leftZero),
            let type = MessageType(String(decoding: digits, as: UTF8.self))
        else { throw ISO8583Error(.messageType, offset: start) }
        return type
    }

    private mutating func fieldNumbers() throws(ISO8583Error) -> [Int] {
        var bits = try bitmap()
        if bits[0] & 0x80 != 0 { bits += try bitmap() }
        return (2...bits.count * 8).filter { bits[($0 - 1) / 8] & 0x80 >> UInt8(($0 - 1) % 8) != 0 }
    }

    private mutating func bitmap() throws(ISO8583Error) -> [UInt8] {
        let start = offset
        let raw = try take(profile.bitmapEncoding == .binary ? 8 : 16, nil)
        guard let bits = Self.octets(raw, profile.bitmapEncoding) else { throw ISO8583Error(.bitmap, offset: start) }
        return bits
    }

    private mutating func value(_ number: Int, _ field: FieldSpecification) throws(ISO8583Error) -> FieldValue {
        let start = offset
        var count = field.format.limit
        if field.format.lengthDigits > 0 {
            guard let said = field.count(units: try length(number, field)) else {
                throw ISO8583Error(.lengthDigits, field: number, offset: start)
            }
            guard said <= field.format.limit else { throw ISO8583Error(.tooLong, field: number, offset: start) }
            count = said
        }
        let place = offset
        let raw = try take(field.size(count), number)
        layout[number] = place..<offset
        if field.format.content == .binary {
            guard let octets = Self.octets(raw, field.encoding) else {
                throw ISO8583Error(.character, field: number, offset: place)
            }
            return .bytes(octets)
        }
        let characters: [UInt8]
        do throws(PackedDigits.Fault) {
            characters = try Self.characters(raw, count: count, field.encoding, field.filler)
        } catch {
            throw ISO8583Error(error == .filler ? .filler : .character, field: number, offset: place)
        }
        guard characters.indices.allSatisfy({ field.format.allows(characters[$0], at: $0) }) else {
            throw ISO8583Error(.character, field: number, offset: place)
        }
        return .text(String(decoding: characters, as: UTF8.self))
    }

    private mutating func length(_ number: Int, _ field: FieldSpecification) throws(ISO8583Error) -> Int {
        let digits = field.format.lengthDigits
        let start = offset
        let raw = try take(field.lengthEncoding.size(digits: digits), number)
        let characters: [UInt8]?
        switch field.lengthEncoding {
        case .binary: return raw.reduce(0) { $0 << 8 | Int($1) }
        case .ascii: characters = Array(raw)
        case .ebcdic: characters = try? Self.characters(raw, count: digits, .ebcdic, .leftZero)
        case .bcd: characters = try? Self.characters(raw, count: digits, .bcd, .leftZero)
        }
        guard let characters, characters.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw ISO8583Error(.lengthDigits, field: number, offset: start)
        }
        return characters.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private mutating func take(_ count: Int, _ field: Int?) throws(ISO8583Error) -> ArraySlice<UInt8> {
        guard bytes.count - offset >= count else { throw error(.tooShort, field) }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    /// ASCII characters; what they may be is the caller's to check.
    private static func characters(
        _ raw: ArraySlice<UInt8>, count: Int, _ encoding: FieldEncoding, _ filler: OddFiller
    ) throws(PackedDigits.Fault) -> [UInt8] {
        switch encoding {
        case .ebcdic:
            let characters = raw.compactMap(EBCDIC.character)
            guard characters.count == raw.count else { throw .character }
            return characters
        case .bcd: return try PackedDigits.unpack(raw, count: count, filler)
        case .ascii, .binary, .hex, .hexEBCDIC: return Array(raw)
        }
    }

    private static func octets(_ raw: ArraySlice<UInt8>, _ encoding: FieldEncoding) -> [UInt8]? {
        switch encoding {
        case .hex: return HexDigits.decode(Array(raw))
        case .hexEBCDIC:
            let digits = raw.compactMap(EBCDIC.character)
            return digits.count == raw.count ? HexDigits.decode(digits) : nil
        case .binary, .ascii, .ebcdic, .bcd: return Array(raw)
        }
    }

    private func error(_ code: ISO8583Error.Code, _ field: Int? = nil) -> ISO8583Error {
        ISO8583Error(code, field: field, offset: offset)
    }
}
