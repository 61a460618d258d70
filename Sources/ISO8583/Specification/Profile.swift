import FoundationEssentials

/// How one network encodes its messages: type, bitmaps, and every field, as data. See docs/iso8583.md for the JSON form.
public struct Profile: Sendable {
    /// Its name in configuration: `ascii`, `binary`, `bcd`, `ebcdic`, or a file's own.
    public let name: String
    let typeEncoding: FieldEncoding
    let bitmapEncoding: FieldEncoding
    let fields: [Int: FieldSpecification]

    /// Everything as ASCII characters, binary fields and bitmaps in hexadecimal.
    public static var ascii: Profile {
        get throws(ProfileError) { try Profile(json: PackageResources.ascii_json) }
    }
    /// ASCII characters, binary bitmaps, binary lengths, binary fields as bytes.
    public static var binary: Profile {
        get throws(ProfileError) { try Profile(json: PackageResources.binary_json) }
    }
    /// Packed digits: type, numbers, tracks and lengths in BCD.
    public static var bcd: Profile {
        get throws(ProfileError) { try Profile(json: PackageResources.bcd_json) }
    }
    /// EBCDIC (code page 500) characters and lengths, binary bitmaps, binary fields as bytes.
    public static var ebcdic: Profile {
        get throws(ProfileError) { try Profile(json: PackageResources.ebcdic_json) }
    }

    /// The names of the profiles that are compiled in.
    public static let builtInNames = ["ascii", "binary", "bcd", "ebcdic"]

    /// The profile of that name; nil when none is compiled in under it.
    public static func builtIn(_ name: String) throws(ProfileError) -> Profile? {
        switch name {
        case "ascii": try ascii
        case "binary": try binary
        case "bcd": try bcd
        case "ebcdic": try ebcdic
        default: nil
        }
    }

    /// Reads a profile. Fields that it does not name are those of ISO 8583:1987; `"65": null` takes one away.
    /// Throws `ProfileError`, which names the key or field that is wrong.
    public init(json: [UInt8]) throws(ProfileError) {
        let file: ProfileFile
        do {
            file = try JSONDecoder().decode(ProfileFile.self, from: Data(json))
        } catch let error as DecodingError {
            throw .key(ProfileFile.place(of: error))
        } catch {
            throw .unreadable
        }
        try self.init(file)
    }

    private init(_ file: ProfileFile) throws(ProfileError) {
        guard !file.name.isEmpty, file.name.utf8.count <= 32 else { throw .key("name") }
        guard [.ascii, .ebcdic, .bcd].contains(file.messageType) else { throw .key("messageType") }
        guard [.binary, .hex, .hexEBCDIC].contains(file.bitmap) else { throw .key("bitmap") }
        guard file.text == .ascii || file.text == .ebcdic else { throw .key("text") }
        guard file.number.suits(.numeric) else { throw .key("number") }
        guard file.track.suits(.track) else { throw .key("track") }
        guard file.binary.suits(.binary) else { throw .key("binary") }
        name = file.name
        typeEncoding = file.messageType
        bitmapEncoding = file.bitmap
        var fields: [Int: FieldSpecification] = [:]
        let standard = try Self.standardFields()
        for (number, notation) in standard {
            fields[number] = try Self.specification(number, notation, FieldEntry(), file)
        }
        for (key, entry) in file.fields ?? [:] {
            guard let number = Int(key), (2...128).contains(number), String(number) == key else { throw .field(key) }
            fields[number] = try entry.map { entry throws(ProfileError) in
                try Self.specification(number, standard[number], entry, file)
            }
        }
        self.fields = fields
    }

    private static func specification(
        _ number: Int, _ standard: String?, _ entry: FieldEntry, _ file: ProfileFile
    ) throws(ProfileError) -> FieldSpecification {
        guard let format = (entry.format ?? standard).flatMap(FieldFormat.init) else { throw .field(String(number)) }
        let usual: FieldEncoding =
            switch format.content {
            case .numeric: file.number
            case .track: file.track
            case .binary: file.binary
            case .alphabetic, .alphanumeric, .text, .signedNumeric: file.text
            }
        let specification = FieldSpecification(
            format: format, encoding: entry.encoding ?? usual, lengthEncoding: entry.length ?? file.length,
            filler: entry.filler ?? file.filler)
        let largest = specification.lengthEncoding.largest(digits: format.lengthDigits)
        guard specification.encoding.suits(format.content),
            format.lengthDigits == 0 || specification.units(format.limit) <= largest
        else { throw .field(String(number)) }
        return specification
    }

    private static func standardFields() throws(ProfileError) -> [Int: String] {
        do {
            let table = try JSONDecoder().decode([String: String].self, from: Data(PackageResources.iso8583_1987_json))
            return Dictionary(uniqueKeysWithValues: table.compactMap { key, value in Int(key).map { ($0, value) } })
        } catch {
            throw .unreadable
        }
    }
}
