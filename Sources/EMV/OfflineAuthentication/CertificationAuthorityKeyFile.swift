import FoundationEssentials

/// What is wrong with a key file. Names the place, never quotes it.
public struct CertificationAuthorityKeyFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// For example `keys[2].modulus`; empty when the whole file is meant.
    public let field: String
    public let reason: String

    public var description: String { field.isEmpty ? reason : "\(field) \(reason)" }
}

extension CertificationAuthorityKeyStore {
    /// Reads a key file:
    ///
    /// ```json
    /// { "keys": [ { "provider": "A000000003", "index": "94", "modulus": "ACD2…", "exponent": "03",
    ///               "checkValue": "C4A3…", "expires": "2031-12-31", "note": "Visa, test" } ],
    ///   "revoked": [ { "provider": "A000000003", "index": "94", "serial": "03DA0A" } ] }
    /// ```
    ///
    /// Bytes are in hexadecimal: `provider` (RID) 5, `index` 1, `modulus` 64 ... 248, `exponent` 03 or 010001,
    /// `checkValue` 20, `serial` 3. `expires` (the last day of use), `note` and `revoked` may be left out.
    public init(json: [UInt8]) throws(CertificationAuthorityKeyFileError) {
        let file: KeyFile
        do {
            file = try JSONDecoder().decode(KeyFile.self, from: Data(json))
        } catch let error as DecodingError {
            throw CertificationAuthorityKeyFileError(field: error.place, reason: error.explanation)
        } catch {
            throw CertificationAuthorityKeyFileError(field: "", reason: "cannot be read")
        }
        var keys: [CertificationAuthorityKey] = []
        for (position, entry) in file.keys.enumerated() {
            let key = try entry.key(at: "keys[\(position)]")
            guard !keys.contains(where: { $0.provider == key.provider && $0.index == key.index }) else {
                throw CertificationAuthorityKeyFileError(field: "keys[\(position)].index", reason: "is there twice")
            }
            keys.append(key)
        }
        var revoked: [CertificateRevocationList.Entry] = []
        for (position, entry) in (file.revoked ?? []).enumerated() {
            revoked.append(try entry.entry(at: "revoked[\(position)]"))
        }
        self.init(keys: keys, revoked: CertificateRevocationList(revoked))
    }

    /// Keys for tests only: two of the schemes' published test keys and those of this project's own test authority, which
    /// certifies the simulated cards. A terminal that takes money must never load them: their private parts are public.
    public static func test() throws(CertificationAuthorityKeyFileError) -> CertificationAuthorityKeyStore {
        try CertificationAuthorityKeyStore(json: PackageResources.test_authorities_json)
    }
}

private struct KeyFile: Decodable {
    var keys: [Key]
    var revoked: [Revoked]?

    struct Key: Decodable {
        var provider: String
        var index: String
        var modulus: String
        var exponent: String
        var checkValue: String
        var expires: String?

        func key(at place: String) throws(CertificationAuthorityKeyFileError) -> CertificationAuthorityKey {
            let date = try expires.map { text throws(CertificationAuthorityKeyFileError) in
                guard let date = CardDate(isoText: text) else {
                    throw CertificationAuthorityKeyFileError(
                        field: "\(place).expires", reason: "is not a date like 2031-12-31")
                }
                return date
            }
            let provider = try octets(provider, count: 5...5, "\(place).provider")
            let index = try octets(index, count: 1...1, "\(place).index")
            let modulus = try octets(modulus, count: 64...248, "\(place).modulus")
            let exponent = try octets(exponent, count: 1...3, "\(place).exponent")
            let checkValue = try octets(checkValue, count: 20...20, "\(place).checkValue")
            do throws(CertificationAuthorityKey.Fault) {
                return try CertificationAuthorityKey(
                    provider: provider, index: index[0], modulus: modulus, exponent: exponent, expires: date,
                    checkValue: checkValue)
            } catch {
                throw CertificationAuthorityKeyFileError(field: "\(place).\(error)", reason: error.explanation)
            }
        }
    }

    struct Revoked: Decodable {
        var provider: String
        var index: String
        var serial: String

        func entry(at place: String) throws(CertificationAuthorityKeyFileError) -> CertificateRevocationList.Entry {
            let name = try octets(index, count: 1...1, "\(place).index")
            guard
                let entry = CertificateRevocationList.Entry(
                    provider: try octets(provider, count: 5...5, "\(place).provider"), index: name[0],
                    serialNumber: try octets(serial, count: 3...3, "\(place).serial"))
            else { throw CertificationAuthorityKeyFileError(field: place, reason: "is not a certificate") }
            return entry
        }
    }
}

private func octets(
    _ text: String, count: ClosedRange<Int>, _ field: String
) throws(CertificationAuthorityKeyFileError) -> [UInt8] {
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
    guard digits.count == text.utf8.count, digits.count % 2 == 0 else {
        throw CertificationAuthorityKeyFileError(field: field, reason: "is not hexadecimal")
    }
    guard count.contains(digits.count / 2) else {
        throw CertificationAuthorityKeyFileError(field: field, reason: "has \(digits.count / 2) bytes")
    }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

extension CardDate {
    /// From `2031-12-31`, years 2000 to 2049; nil when it is not a date.
    fileprivate init?(isoText text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.map(\.utf8.count) == [4, 2, 2], parts[0].hasPrefix("20"),
            let digits = try? octets(parts[0].suffix(2) + parts[1] + parts[2], count: 3...3, ""), digits[0] < 0x50
        else { return nil }
        self.init(bcd: digits)
    }
}

extension CertificationAuthorityKey.Fault {
    fileprivate var explanation: String {
        switch self {
        case .provider: "does not have five bytes"
        case .modulus: "is even or begins with a zero byte"
        case .exponent: "is neither 03 nor 010001"
        case .checkValue: "does not belong to this key"
        }
    }
}

extension DecodingError {
    fileprivate var place: String {
        let path: [any CodingKey]
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path = context.codingPath
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        @unknown default: path = []
        }
        return path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
    }

    fileprivate var explanation: String {
        switch self {
        case .keyNotFound: "is missing"
        case .typeMismatch, .valueNotFound: "has the wrong type"
        default: "is not JSON of a key file"
        }
    }
}
