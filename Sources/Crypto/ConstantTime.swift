internal import COpenSSL

/// Compares without telling by its duration where the difference is. Lengths are not secret.
public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return CRYPTO_memcmp(left, right, left.count) == 0
}
