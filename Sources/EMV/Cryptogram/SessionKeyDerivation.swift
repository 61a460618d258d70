import BERTLV
public import Crypto

/// How the key of one transaction comes from the card key.
public enum SessionKeyDerivation: Sendable, Hashable, CaseIterable {
    /// No session key: the card key itself (Visa CVN 10).
    case none
    /// EMV common session key: by the transaction counter (Book 2, A1.3.1).
    case commonSessionKey
    /// M/Chip's own: by the transaction counter and the unpredictable number.
    case mChip

    /// As long as the card key. `counter` is tag 9F36, two bytes; `unpredictableNumber` is tag 9F37, four bytes. M/Chip
    /// knows triple DES only.
    public func sessionKey(
        cardKey: SecretBytes, counter: [UInt8], unpredictableNumber: [UInt8], cipher: CryptogramCipher = .tripleDES
    ) throws(CryptogramError) -> SecretBytes {
        guard counter.count == 2 else { throw .length(of: 0x9F36, actual: counter.count) }
        guard unpredictableNumber.count == 4 else { throw .length(of: 0x9F37, actual: unpredictableNumber.count) }
        return switch self {
        case .none: cardKey
        case .commonSessionKey:
            try Self.derive(
                from: cardKey, diversifier: counter + [UInt8](repeating: 0, count: cipher.blockLength - 2),
                cipher: cipher)
        case .mChip:
            try Self.derive(from: cardKey, diversifier: counter + [0, 0] + unpredictableNumber, cipher: cipher)
        }
    }

    /// The common derivation for any diversifier of one block (Book 2, A1.3.1), also of script keys, where the
    /// diversifier is the application cryptogram.
    public static func derive(
        from cardKey: SecretBytes, diversifier: [UInt8], cipher: CryptogramCipher = .tripleDES
    ) throws(CryptogramError) -> SecretBytes {
        guard diversifier.count == cipher.blockLength else {
            throw .argumentLength("diversifier", actual: diversifier.count)
        }
        var (left, right) = (diversifier, diversifier)
        left[2] = 0xF0
        right[2] = 0x0F
        return try cipher.diversify(cardKey, single: diversifier, pair: (left: left, right: right))
    }
}
