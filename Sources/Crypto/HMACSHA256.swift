internal import COpenSSL

/// HMAC with SHA-256 (FIPS 198-1, RFC 2104): signatures of webhooks and requests.
public enum HMACSHA256 {
    /// Bytes in an authentication code.
    public static let length = 32

    /// Any key length is allowed, also none. Throws `library` when libcrypto fails.
    public static func code(for message: [UInt8], key: SecretBytes) throws(CryptoError) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: length)
        var written = 0
        let done = key.withBytes { key in
            EVP_Q_mac(
                nil, "HMAC", nil, "SHA256", nil, key.baseAddress, key.count, message, message.count, &code,
                length, &written) != nil
        }
        guard done, written == length else { throw .library(operation: "EVP_Q_mac") }
        return code
    }

    /// Whether `code` belongs to `message`; compares in constant time.
    public static func verify(_ code: [UInt8], for message: [UInt8], key: SecretBytes) throws(CryptoError) -> Bool {
        constantTimeEquals(code, try self.code(for: message, key: key))
    }
}
