internal import COpenSSL

/// CMAC with AES (NIST SP 800-38B, RFC 4493; ISO/IEC 9797-1, algorithm 5). It pads by itself.
public enum AESCMAC {
    /// Bytes in an authentication code before it is cut.
    public static let length = 16

    /// Throws `keyLengthUnknown` unless `key` has 16, 24 or 32 bytes.
    public static func code(for message: [UInt8], key: SecretBytes) throws(CryptoError) -> [UInt8] {
        let cipher =
            switch key.count {
            case 16: "AES-128-CBC"
            case 24: "AES-192-CBC"
            case 32: "AES-256-CBC"
            default: throw CryptoError.keyLengthUnknown(actual: key.count)
            }
        var code = [UInt8](repeating: 0, count: length)
        var written = 0
        let done = key.withBytes { key in
            EVP_Q_mac(
                nil, "CMAC", nil, cipher, nil, key.baseAddress, key.count, message, message.count, &code, length,
                &written) != nil
        }
        guard done, written == length else { throw .library(operation: "EVP_Q_mac") }
        return code
    }
}
