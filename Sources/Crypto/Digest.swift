internal import COpenSSL

/// SHA-1 (FIPS 180-4), only where EMV prescribes it: certificates and card key derivation option B.
public enum SHA1 {
    /// Bytes in a digest.
    public static let length = 20

    /// Throws `library` when libcrypto's policy forbids SHA-1.
    public static func digest(of bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        try evaluate(FetchedAlgorithm.sha1, length, bytes)
    }
}

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// Bytes in a digest.
    public static let length = 32

    /// Throws `library` when libcrypto fails.
    public static func digest(of bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        try evaluate(FetchedAlgorithm.sha256, length, bytes)
    }

    /// The digest as 64 lower-case hex digits, as ledgers and names of files have it. Throws `library` when libcrypto
    /// fails.
    public static func hexDigest(of bytes: [UInt8]) throws(CryptoError) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * length)
        for byte in try digest(of: bytes) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0x0F)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

private func evaluate(_ algorithm: OpaquePointer?, _ length: Int, _ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: length)
    var written: UInt32 = 0
    guard let algorithm, EVP_MD_get_size(algorithm) == length,
        EVP_Digest(bytes, bytes.count, &digest, &written, algorithm, nil) == 1, Int(written) == length
    else { throw .library(operation: "EVP_Digest") }
    return digest
}
