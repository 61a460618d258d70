public import Crypto

/// A scheme's public key, which certifies the keys of its issuers (Book 2, 5.2).
public struct CertificationAuthorityKey: Sendable, Hashable {
    /// The registered application provider identifier (RID): the first five bytes of the AIDs it is for.
    public let provider: [UInt8]
    /// What the card names in tag 8F.
    public let index: UInt8
    public let key: RSAPublicKey
    /// The last day on which it may be used; nil when the scheme did not set one.
    public let expires: CardDate?

    /// Why a key is not loaded.
    public enum Fault: Error, Sendable, Hashable {
        /// The RID does not have five bytes.
        case provider
        /// The modulus is not 64 to 248 bytes, is even or begins with a zero byte.
        case modulus
        /// The exponent is neither 03 nor 010001.
        case exponent
        /// SHA-1 over RID, index, modulus and exponent gives another value: a typing error or worse.
        case checkValue
    }

    /// - Parameter checkValue: 20 bytes that the scheme publishes with the key.
    public init(
        provider: [UInt8], index: UInt8, modulus: [UInt8], exponent: [UInt8], expires: CardDate?, checkValue: [UInt8]
    ) throws(Fault) {
        guard provider.count == 5 else { throw .provider }
        do throws(CryptoError) {
            key = try RSAPublicKey(modulus: modulus, exponent: exponent)
        } catch {
            throw error == .exponent ? .exponent : .modulus
        }
        guard let digest = try? SHA1.digest(of: provider + [index] + modulus + exponent), digest == checkValue else {
            throw .checkValue
        }
        self.provider = provider
        self.index = index
        self.expires = expires
    }
}
