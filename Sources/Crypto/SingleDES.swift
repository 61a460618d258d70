/// DES with one 8-byte key (FIPS 46-3), only as the inner step of the retail MAC. It runs as triple DES with twice the
/// same key, which is the same function, because plain DES is in libcrypto's legacy provider, which may not be there.
public struct SingleDES: Sendable {
    /// Bytes in a key.
    public static let keyLength = 8

    private let doubled: TripleDES

    /// Throws `keyLength` unless `key` has 8 bytes. Parity bits are ignored.
    public init(key: SecretBytes) throws(CryptoError) {
        guard key.count == Self.keyLength else { throw .keyLength(expected: Self.keyLength, actual: key.count) }
        var twice = key.withBytes { Array($0) + Array($0) }
        defer { wipe(&twice) }
        doubled = try TripleDES(key: SecretBytes(twice))
    }

    /// Throws `blockLength` unless `block` has 8 bytes.
    public func encryptBlock(_ block: [UInt8]) throws(CryptoError) -> [UInt8] {
        try doubled.encryptBlock(block)
    }

    /// Throws `blockLength` unless `block` has 8 bytes.
    public func decryptBlock(_ block: [UInt8]) throws(CryptoError) -> [UInt8] {
        try doubled.decryptBlock(block)
    }
}
