import BERTLV
public import Crypto

/// The MAC of an issuer script command (EMV Book 2, 9.2), and the keys that make it.
public enum ScriptMAC {
    /// Eight bytes over header, transaction counter, application cryptogram and command data.
    /// - Parameter header: CLA INS P1 P2 Lc, where Lc counts the MAC too.
    public static func mac(
        key: SecretBytes, header: [UInt8], counter: [UInt8], applicationCryptogram: [UInt8], data: [UInt8] = [],
        cipher: CryptogramCipher = .tripleDES
    ) throws(CryptogramError) -> [UInt8] {
        guard header.count == 5 else { throw .argumentLength("command header", actual: header.count) }
        guard counter.count == 2 else { throw .length(of: 0x9F36, actual: counter.count) }
        guard applicationCryptogram.count == 8 else { throw .length(of: 0x9F26, actual: applicationCryptogram.count) }
        let input = header + counter + applicationCryptogram + data
        return try cipher.mac(of: input, key: key)
    }

    /// Visa's script key (CVN 10 and 18): the card's script key with the counter XORed on the end of its left half and
    /// the counter's complement on the end of its right half.
    public static func visaSessionKey(cardKey: SecretBytes, counter: [UInt8]) throws(CryptogramError) -> SecretBytes {
        guard counter.count == 2 else { throw .length(of: 0x9F36, actual: counter.count) }
        guard cardKey.count == TripleDES.keyLength else {
            throw .crypto(.keyLength(expected: TripleDES.keyLength, actual: cardKey.count))
        }
        var key = cardKey.withBytes { Array($0) }
        defer { wipe(&key) }
        for index in counter.indices {
            key[6 + index] ^= counter[index]
            key[14 + index] ^= ~counter[index]
        }
        setOddParity(&key)
        return SecretBytes(key)
    }

    /// The common script key (CVN '22', M/Chip's first command, CCD): diversified by the application cryptogram, which
    /// zeros follow where a block is longer.
    public static func commonSessionKey(
        cardKey: SecretBytes, applicationCryptogram: [UInt8], cipher: CryptogramCipher = .tripleDES
    ) throws(CryptogramError) -> SecretBytes {
        guard applicationCryptogram.count == 8 else { throw .length(of: 0x9F26, actual: applicationCryptogram.count) }
        let filler = [UInt8](repeating: 0, count: cipher.blockLength - 8)
        return try SessionKeyDerivation.derive(
            from: cardKey, diversifier: applicationCryptogram + filler, cipher: cipher)
    }
}
