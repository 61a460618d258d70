import Crypto
public import EMV
import FoundationEssentials

/// The issuers that the simulator plays, with their card ranges and keys.
public struct IssuerDirectory: Sendable {
    let issuers: [SimulatedIssuer]

    /// The issuers that are compiled in.
    public static func embedded() throws(IssuerDirectoryError) -> IssuerDirectory {
        try IssuerDirectory(json: PackageResources.simulated_issuers_json)
    }

    /// Reads the form of `simulated-issuers.json`. Throws when a field is missing or not of its form.
    public init(json: [UInt8]) throws(IssuerDirectoryError) {
        let file: IssuerFile
        do {
            file = try JSONDecoder().decode(IssuerFile.self, from: Data(json))
        } catch {
            // The decoder's own text may quote the file, which holds keys.
            throw .unreadable
        }
        var issuers: [SimulatedIssuer] = []
        for entry in file.issuers { issuers.append(try Self.issuer(entry)) }
        self.issuers = issuers
    }

    /// Whether a card of this PAN would be known.
    public func knows(_ pan: PAN) -> Bool { find(pan) != nil }

    /// The issuer and range of the longest prefix that fits.
    func find(_ pan: PAN) -> (issuer: SimulatedIssuer, range: SimulatedIssuer.CardRange)? {
        let prefix = pan.issuerPrefix
        let fitting = issuers.flatMap { issuer in
            issuer.ranges.filter { prefix.hasPrefix($0.prefix) }.map { (issuer: issuer, range: $0) }
        }
        return fitting.max { $0.range.prefix.count < $1.range.prefix.count }
    }

    private static func issuer(_ entry: IssuerFile.Issuer) throws(IssuerDirectoryError) -> SimulatedIssuer {
        guard let provider = bytes(entry.provider), provider.count == 5 else {
            throw .field("provider", brand: entry.brand)
        }
        guard let derivation = ["A": CardKeyDerivation.optionA, "B": .optionB, "C": .optionC][entry.cardKeyOption]
        else {
            throw .field("cardKeyOption", brand: entry.brand)
        }
        let lengths = derivation.cipher.keyLengths
        guard let cryptogramKey = key(entry.imkAC, lengths) else { throw .field("imkAC", brand: entry.brand) }
        guard let integrityKey = key(entry.imkSMI, lengths) else { throw .field("imkSMI", brand: entry.brand) }
        guard key(entry.imkSMC, lengths) != nil else { throw .field("imkSMC", brand: entry.brand) }
        var ranges: [SimulatedIssuer.CardRange] = []
        for range in entry.ranges {
            guard (1...6).contains(range.prefix.utf8.count),
                range.prefix.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { throw .field("prefix", brand: entry.brand) }
            guard let accountType = AuthorisationResponse.AccountType(rawValue: range.accountType) else {
                throw .field("accountType", brand: entry.brand)
            }
            ranges.append(.init(prefix: range.prefix, accountType: accountType, bank: range.bank))
        }
        return SimulatedIssuer(
            brand: entry.brand, provider: provider, cardKeyDerivation: derivation, cryptogramKey: cryptogramKey,
            scriptIntegrityKey: integrityKey, ranges: ranges)
    }

    private static func key(_ text: String, _ lengths: [Int]) -> SecretBytes? {
        guard var bytes = bytes(text), lengths.contains(bytes.count) else { return nil }
        defer { wipe(&bytes) }
        return SecretBytes(bytes)
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

/// Why a file of issuers was refused. Never quotes a value.
public enum IssuerDirectoryError: Error, Sendable, Hashable {
    /// Not JSON, or fields are missing.
    case unreadable
    /// A field is not of its form.
    case field(String, brand: String)
}

extension IssuerDirectoryError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable: "The file of simulated issuers cannot be read: it is not JSON or lacks a field."
        case .field(let name, let brand): "The field \(name) of the simulated issuer \(brand) is not valid."
        }
    }
}

private struct IssuerFile: Decodable {
    struct Range: Decodable {
        let prefix: String
        let accountType: String
        let bank: String
    }

    struct Issuer: Decodable {
        let brand: String
        let provider: String
        let cardKeyOption: String
        let imkAC: String
        let imkSMI: String
        let imkSMC: String
        let ranges: [Range]
    }

    let issuers: [Issuer]
}
