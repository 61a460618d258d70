/// Why a certificate or signature of a card is not accepted (Book 2, 5 to 7). No card data.
public enum CertificateFault: String, Error, Sendable, Hashable, CaseIterable {
    /// The signed object is not as long as the key that should have made it.
    case length
    /// The object cannot be a signature by that key, or the crypto library refused.
    case notRecovered
    /// The recovered data does not begin with 6A: usually made by another key.
    case header
    /// It is another kind of certificate or signature.
    case format
    /// It does not end with BC.
    case trailer
    /// Not SHA-1, the only hash algorithm of EMV's RSA certificates.
    case hashAlgorithm
    /// Not RSA.
    case keyAlgorithm
    /// The certified key is longer than the key that certifies it, or shorter than RSA keys are.
    case keyLength
    /// The rest of a field is not filled with BB.
    case padding
    /// The key does not fit into the certificate, and the card has no remainder.
    case remainderMissing
    /// The remainder is not as long as the part of the key that is not in the certificate.
    case remainder
    /// The certified key has an exponent other than 3 and 65537.
    case exponent
    /// The certified modulus is even or begins with a zero byte.
    case modulus
    /// The hash differs: something that was signed was changed.
    case hash
    /// The issuer identifier does not begin the account number.
    case issuerIdentifier
    /// Certified for another account number.
    case accountNumber
    /// The expiration date is not a month.
    case expiryDate
    case expired
    case revoked
    /// The ICC dynamic data does not have its lengths.
    case dynamicData
}
