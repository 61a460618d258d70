/// AES (FIPS 197) with keys of 128, 192 and 256 bits: the cipher of the newer EMV cryptograms. libcrypto does the work.
public struct AES: Sendable {
    /// Bytes in a block.
    public static let blockLength = 16
    /// Bytes in a key: one of these.
    public static let keyLengths = [16, 24, 32]

    private let key: SecretBytes

    /// Throws `keyLengthUnknown` unless `key` has 16, 24 or 32 bytes.
    public init(key: SecretBytes) throws(CryptoError) {
        guard Self.keyLengths.contains(key.count) else { throw .keyLengthUnknown(actual: key.count) }
        self.key = key
    }

    /// Throws `blockLength` unless `block` has 16 bytes.
    public func encryptBlock(_ block: [UInt8]) throws(CryptoError) -> [UInt8] {
        try oneBlock(block, .encrypt)
    }

    /// Throws `blockLength` unless `block` has 16 bytes.
    public func decryptBlock(_ block: [UInt8]) throws(CryptoError) -> [UInt8] {
        try oneBlock(block, .decrypt)
    }

    /// Encrypts in CBC mode (NIST SP 800-38A, 6.2). The result is as long as `blocks`.
    /// - Parameter initialVector: 16 bytes; zeros, unless given.
    /// Throws `blockLength` unless `blocks` are whole blocks, at least one.
    public func encryptChain(
        _ blocks: [UInt8], initialVector: [UInt8] = [UInt8](repeating: 0, count: blockLength)
    ) throws(CryptoError) -> [UInt8] {
        guard !blocks.isEmpty, blocks.count % Self.blockLength == 0 else {
            throw .blockLength(expected: Self.blockLength, actual: blocks.count)
        }
        return try process(blocks, chained: initialVector, .encrypt)
    }

    private func oneBlock(_ block: [UInt8], _ direction: CipherContext.Direction) throws(CryptoError) -> [UInt8] {
        guard block.count == Self.blockLength else {
            throw .blockLength(expected: Self.blockLength, actual: block.count)
        }
        return try process(block, chained: nil, direction)
    }

    private func process(
        _ blocks: [UInt8], chained vector: [UInt8]?, _ direction: CipherContext.Direction
    ) throws(CryptoError) -> [UInt8] {
        if let vector, vector.count != Self.blockLength {
            throw .blockLength(expected: Self.blockLength, actual: vector.count)
        }
        return try key.withBytes { (key) throws(CryptoError) -> [UInt8] in
            let context = try CipherContext()
            try context.start(aes: key, initialVector: vector, direction)
            return try context.update(blocks)
        }
    }
}
