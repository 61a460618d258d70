public import Crypto

/// How an issuer derives a card's master key from its own (EMV Book 2, A1.4).
///
/// Options A and B are judged by published vectors and by pyemv. For option C there is neither a published vector nor an
/// independent program: AES and CMAC under it are judged by the vectors of FIPS 197, SP 800-38A, SP 800-38B and RFC 4493,
/// and option C itself by a second implementation of ours, in Python from the Book over bare AES (Tests/Judges/aes.py).
/// A misreading of the Book that both share would not be found.
public enum CardKeyDerivation: Sendable, Hashable, CaseIterable {
    /// From the last 16 digits of PAN and sequence number.
    case optionA
    /// For PANs of more than 16 digits from their SHA-1 hash; shorter ones as option A.
    case optionB
    /// For AES, from all digits of PAN and sequence number (A1.4.3).
    case optionC

    /// The cipher that the key is for.
    public var cipher: CryptogramCipher {
        switch self {
        case .optionA, .optionB: .tripleDES
        case .optionC: .aes
        }
    }

    /// The card key, as long as the issuer's: with triple DES 16 bytes with odd parity, with AES 16, 24 or 32 bytes.
    /// `panSequenceNumber` is tag 5F34 as a number; nil
    /// counts as 00.
    public func cardKey(
        issuerMasterKey: SecretBytes, pan: PAN, panSequenceNumber: UInt8?
    ) throws(CryptogramError) -> SecretBytes {
        let sequence = panSequenceNumber ?? 0
        guard sequence <= 99 else { throw .panSequenceNumber(sequence) }
        var digits = pan.withDigits { Array($0) } + [sequence / 10, sequence % 10]
        defer { wipe(&digits) }
        if self == .optionB, pan.count > 16 {
            var chosen = try Self.decimalDigits(ofHashOf: digits)
            wipe(&digits)
            swap(&digits, &chosen)
        }
        // A block is two digits a byte: 16 of triple DES, 32 of AES, which is more than any PAN has.
        var block = Self.packed(Self.last(2 * cipher.blockLength, of: digits))
        defer { wipe(&block) }
        return try cipher.diversify(
            issuerMasterKey, single: block, pair: (left: block, right: block.map { $0 ^ 0xFF }))
    }

    /// The first sixteen decimal digits of the hash; when it has fewer, its letters A to F follow as 0 to 5.
    private static func decimalDigits(ofHashOf digits: [UInt8]) throws(CryptogramError) -> [UInt8] {
        var message = packed(digits.count % 2 == 0 ? digits : [0] + digits)
        defer { wipe(&message) }
        let hash = try wrapping { () throws(CryptoError) in try SHA1.digest(of: message) }
        let nibbles = hash.flatMap { [$0 >> 4, $0 & 0x0F] }
        let decimal = nibbles.filter { $0 < 10 }
        let letters = nibbles.filter { $0 >= 10 }.map { $0 - 10 }
        return Array((decimal + letters).prefix(16))
    }

    private static func last(_ count: Int, of digits: [UInt8]) -> [UInt8] {
        let last = digits.suffix(count)
        return [UInt8](repeating: 0, count: count - last.count) + last
    }

    /// Two digits a byte. `digits` is even in number.
    private static func packed(_ digits: [UInt8]) -> [UInt8] {
        stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
