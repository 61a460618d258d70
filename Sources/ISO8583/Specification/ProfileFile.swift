import FoundationEssentials

/// The JSON form of a profile.
struct ProfileFile: Decodable {
    let name: String
    let messageType: FieldEncoding
    let bitmap: FieldEncoding
    let number: FieldEncoding
    let track: FieldEncoding
    let text: FieldEncoding
    let binary: FieldEncoding
    let length: LengthEncoding
    let filler: OddFiller
    /// Nil takes a field away.
    let fields: [String: FieldEntry?]?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, messageType, bitmap, number, track, text, binary, length, filler, fields
    }

    init(from decoder: any Decoder) throws {
        try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.rawValue))
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        messageType = try values.decode(FieldEncoding.self, forKey: .messageType)
        bitmap = try values.decode(FieldEncoding.self, forKey: .bitmap)
        number = try values.decode(FieldEncoding.self, forKey: .number)
        track = try values.decode(FieldEncoding.self, forKey: .track)
        text = try values.decode(FieldEncoding.self, forKey: .text)
        binary = try values.decode(FieldEncoding.self, forKey: .binary)
        length = try values.decode(LengthEncoding.self, forKey: .length)
        filler = try values.decode(OddFiller.self, forKey: .filler)
        fields = try values.decodeIfPresent([String: FieldEntry?].self, forKey: .fields)
    }

    /// `fields.55.format`: the path of keys at which decoding failed.
    static func place(of error: DecodingError) -> String {
        let (context, missing): (DecodingError.Context?, (any CodingKey)?) =
            switch error {
            case .keyNotFound(let key, let context): (context, key)
            case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
                (context, nil)
            @unknown default: (nil, nil)
            }
        let path = (context?.codingPath ?? []) + (missing.map { [$0] } ?? [])
        return path.isEmpty ? "the whole file" : path.map(\.stringValue).joined(separator: ".")
    }
}

/// One field of a profile; what is absent is the profile's usual.
struct FieldEntry: Decodable {
    var format: String?
    var encoding: FieldEncoding?
    var length: LengthEncoding?
    var filler: OddFiller?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case format, encoding, length, filler
    }

    init() {}

    init(from decoder: any Decoder) throws {
        try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.rawValue))
        let values = try decoder.container(keyedBy: CodingKeys.self)
        format = try values.decodeIfPresent(String.self, forKey: .format)
        encoding = try values.decodeIfPresent(FieldEncoding.self, forKey: .encoding)
        length = try values.decodeIfPresent(LengthEncoding.self, forKey: .length)
        filler = try values.decodeIfPresent(OddFiller.self, forKey: .filler)
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// A misspelt key would otherwise be silently without effect.
    fileprivate func refuseKeys(besides known: [String]) throws {
        for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath + [key], debugDescription: "unknown key"))
        }
    }
}
