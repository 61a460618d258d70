public import BERTLV
public import Crypto

/// A transaction's application cryptogram, recomputed by the issuer from the values that the message carries
/// (EMV Book 2, 8.1).
public struct ApplicationCryptogram: Sendable {
    public let scheme: CryptogramScheme
    /// What the cryptogram covers, before padding.
    public let input: [UInt8]
    private let cardKey: SecretBytes
    private let sessionKey: SecretBytes

    /// `value` looks an object of the message up; `issuerApplicationData` is its tag 9F10, recognised.
    public init(
        scheme: CryptogramScheme, issuerApplicationData: IssuerApplicationData, cardKey: SecretBytes,
        value: (Tag) -> [UInt8]?
    ) throws(CryptogramError) {
        self.scheme = scheme
        self.cardKey = cardKey
        input = try Self.input(scheme: scheme, issuerApplicationData: issuerApplicationData, value: value)
        sessionKey = try scheme.sessionKeyDerivation.sessionKey(
            cardKey: cardKey, counter: Self.object(0x9F36, 2, value),
            unpredictableNumber: Self.object(0x9F37, 4, value), cipher: scheme.cipher)
    }

    /// Assembles what the cryptogram covers: the nine terminal objects, the profile, the counter, and as much of the
    /// issuer application data as the scheme says. Every value goes in as it was sent.
    public static func input(
        scheme: CryptogramScheme, issuerApplicationData: IssuerApplicationData, value: (Tag) -> [UInt8]?
    ) throws(CryptogramError) -> [UInt8] {
        var input: [UInt8] = []
        for (tag, length) in covered {
            input += try object(tag, length, value)
        }
        switch scheme.coveredIssuerData {
        case .whole: input += issuerApplicationData.value
        case .verificationResults: input += issuerApplicationData.verificationResults
        case .verificationResultsAndCounters:
            input += issuerApplicationData.verificationResults + issuerApplicationData.counters
        }
        return input
    }

    /// Eight bytes: what tag 9F26 should be.
    public func value() throws(CryptogramError) -> [UInt8] {
        try scheme.cipher.mac(of: input, key: sessionKey, padding: scheme.padding)
    }

    /// Whether `cryptogram` is the right one; compares in constant time.
    public func verifies(_ cryptogram: [UInt8]) throws(CryptogramError) -> Bool {
        constantTimeEquals(try value(), cryptogram)
    }

    /// The key that makes the ARPC of this transaction.
    public var responseKey: SecretBytes {
        switch scheme.responseKey {
        case .cardKey: cardKey
        case .sessionKey: sessionKey
        }
    }

    private static let covered: [(Tag, Int)] = [
        (0x9F02, 6), (0x9F03, 6), (0x9F1A, 2), (0x95, 5), (0x5F2A, 2), (0x9A, 3), (0x9C, 1), (0x9F37, 4), (0x82, 2),
        (0x9F36, 2),
    ]

    private static func object(
        _ tag: Tag, _ length: Int, _ value: (Tag) -> [UInt8]?
    ) throws(CryptogramError) -> [UInt8] {
        guard let bytes = value(tag) else { throw .missing(tag) }
        guard bytes.count == length else { throw .length(of: tag, actual: bytes.count) }
        return bytes
    }
}

extension ApplicationCryptogram: CustomStringConvertible, CustomReflectable {
    public var description: String { "application cryptogram by \(scheme.rawValue)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
