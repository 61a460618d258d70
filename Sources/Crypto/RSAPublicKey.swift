/// An RSA public key as EMV uses it (Book 2, annex A2.1 and B2.1): the bare operation, no padding scheme around it.
public struct RSAPublicKey: Sendable, Hashable {
    /// Bytes in a modulus: 512 to 1984 bits.
    public static let modulusLengths = 64...248

    /// Big-endian, `modulusLengths` bytes, the first of them not zero.
    public let modulus: [UInt8]
    /// 03 or 01 00 01.
    public let exponent: [UInt8]

    /// Throws `modulus` or `exponent` when these are not what EMV allows.
    public init(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) {
        guard Self.modulusLengths.contains(modulus.count), let first = modulus.first, first != 0,
            let last = modulus.last, last & 1 == 1
        else { throw .modulus(length: modulus.count) }
        guard exponent == [0x03] || exponent == [0x01, 0x00, 0x01] else { throw .exponent }
        self.modulus = modulus
        self.exponent = exponent
    }

    /// What was signed: signature ^ exponent mod modulus, as many bytes as the modulus has.
    ///
    /// Throws `blockLength` unless the signature is as long as the modulus, `notBelowModulus` when it is not a smaller
    /// number, and `library` when libcrypto fails.
    public func recover(_ signature: [UInt8]) throws(CryptoError) -> [UInt8] {
        try raise(signature)
    }

    /// Enciphers one block that is as long as the modulus, for example a PIN (Book 2, 7.2). Throws as `recover` does.
    public func encipher(_ block: SecretBytes) throws(CryptoError) -> [UInt8] {
        var bytes = block.withBytes { Array($0) }
        defer { wipe(&bytes) }
        return try raise(bytes)
    }

    private func raise(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard bytes.count == modulus.count else {
            throw .blockLength(expected: modulus.count, actual: bytes.count)
        }
        guard bytes.lexicographicallyPrecedes(modulus) else { throw .notBelowModulus }
        let base = try BigNumber(bytes)
        let power = try BigNumber(exponent)
        let limit = try BigNumber(modulus)
        return try base.raised(to: power, modulo: limit, length: modulus.count)
    }
}
