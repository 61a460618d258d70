internal import COpenSSL

/// AES with a 256-bit key in Galois/counter mode (NIST SP 800-38D): encrypts and proves that nothing was changed.
public enum AES256GCM {
    /// Bytes in a key.
    public static let keyLength = 32
    /// Bytes in a nonce. A nonce must never be used twice with a key.
    public static let nonceLength = 12
    /// Bytes in a tag.
    public static let tagLength = 16

    /// The cipher text and its tag after it. Throws `keyLength`, `blockLength` for the nonce, or `library`.
    public static func seal(
        _ plain: [UInt8], key: SecretBytes, nonce: [UInt8], authenticating data: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        try check(key, nonce)
        let context = try CipherContext()
        try context.start(aes256GCM: key, nonce: nonce, .encrypt)
        try context.authenticate(data)
        let sealed = try context.stream(plain)
        return sealed + (try context.tag())
    }

    /// The plain text; nil when the tag does not fit: another key, or changed bytes.
    public static func open(
        _ sealed: [UInt8], key: SecretBytes, nonce: [UInt8], authenticating data: [UInt8] = []
    ) throws(CryptoError) -> [UInt8]? {
        try check(key, nonce)
        guard sealed.count >= tagLength else { return nil }
        let context = try CipherContext()
        try context.start(aes256GCM: key, nonce: nonce, .decrypt)
        try context.authenticate(data)
        var plain = try context.stream(Array(sealed.dropLast(tagLength)))
        guard try context.verifies(Array(sealed.suffix(tagLength))) else {
            wipe(&plain)
            return nil
        }
        return plain
    }

    private static func check(_ key: SecretBytes, _ nonce: [UInt8]) throws(CryptoError) {
        guard key.count == keyLength else { throw .keyLength(expected: keyLength, actual: key.count) }
        guard nonce.count == nonceLength else { throw .blockLength(expected: nonceLength, actual: nonce.count) }
    }
}
