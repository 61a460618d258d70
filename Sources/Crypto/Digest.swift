internal import COpenSSL

/// SHA-1 (FIPS 180-4), only where EMV prescribes it: certificates and card key derivation option B.
public enum SHA1 {
    /// Bytes in a digest.
    public static let length = 20

    /// Throws `library` when libcrypto's policy forbids SHA-1.
    public static func digest(of bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        try evaluate(EVP_sha1(), length, bytes)
    }
}

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// Bytes in a digest.
    public static let length = 32

    /// Throws `library` when libcrypto fails.
    public static func digest(of bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        try evaluate(EVP_sha256(), length, bytes)
    }
}

private func evaluate(_ algorithm: OpaquePointer?, _ length: Int, _ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var written: UInt32 = 0
    guard EVP_Digest(bytes, bytes.count, &digest, &written, algorithm, nil) == 1, Int(written) == length else {
        throw .library(operation: "EVP_Digest")
    }
    return Array(digest.prefix(length))
}
