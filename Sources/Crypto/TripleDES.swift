/// Two-key triple DES (TDEA keying option 2 of NIST SP 800-67), block by block: the cipher of EMV cryptograms.
public struct TripleDES: Sendable {
    /// Bytes in a block.
    public static let blockLength = 8
    /// Bytes in a key: left and right half.
    public static let keyLength = 16

    private let key: SecretBytes

    /// Throws `keyLength` unless `key` has 16 bytes. Parity bits are ignored.
    public init(key: SecretBytes) throws(CryptoError) {
        guard key.count == Self.keyLength else { throw .keyLength(expected: Self.keyLength, actual: key.count) }
        self.key = key
    }

    /// Throws `blockLength` unless `block` has 8 bytes.
    public func encryptBlock(_ block: [UInt8]) throws(CryptoError) -> [UInt8] {
        try process(block, .encrypt)
    }

    /// Throws `blockLength` unless `block` has 8 bytes.
    public func decryptBlock(_ block: [UInt8]) throws(CryptoError) -> [UInt8] {
        try process(block, .decrypt)
    }

    private func process(_ block: [UInt8], _ direction: CipherContext.Direction) throws(CryptoError) -> [UInt8] {
        guard block.count == Self.blockLength else {
            throw .blockLength(expected: Self.blockLength, actual: block.count)
        }
        return try key.withBytes { (key) throws(CryptoError) -> [UInt8] in
            let context = try CipherContext()
            try context.start(tripleDES: key, direction)
            return try context.update(block)
        }
    }
}
