import Crypto

/// A public key as the card stores it: a certificate, what did not fit into it, and the exponent.
struct CertificateObjects: Sendable, Hashable {
    /// Tag 90, 9F46 or 9F2D.
    let certificate: [UInt8]
    /// Tag 92, 9F48 or 9F2F; nil when the card has none.
    let remainder: [UInt8]?
    /// Tag 9F32, 9F47 or 9F2E.
    let exponent: [UInt8]

    /// What the hash of a certificate covers besides its own fields.
    var hashed: [UInt8] { (remainder ?? []) + exponent }

    /// A key that is longer than its field needs a remainder: without one the card lacks data, and no hash can fit.
    func requireRemainder(length: Int, room: Int) throws(CertificateFault) {
        guard length <= room || remainder?.isEmpty == false else { throw .remainderMissing }
    }

    /// Puts the key together from the certificate's key field and the remainder.
    /// - Parameters:
    ///   - field: the certificate's bytes for the key, filled up with BB.
    ///   - length: bytes in the modulus, as the certificate says.
    ///   - signerLength: bytes in the modulus that made the certificate, which is not shorter.
    func key(
        field: ArraySlice<UInt8>, length: Int, signerLength: Int
    ) throws(CertificateFault) -> RSAPublicKey {
        guard length <= signerLength, RSAPublicKey.modulusLengths.contains(length) else { throw .keyLength }
        let missing = max(0, length - field.count)
        let rest = remainder ?? []
        guard rest.count == missing else { throw .remainder }
        guard field.dropFirst(length).allSatisfy({ $0 == 0xBB }) else { throw .padding }
        do throws(CryptoError) {
            return try RSAPublicKey(modulus: field.prefix(length) + rest, exponent: exponent)
        } catch {
            throw error == .exponent ? .exponent : .modulus
        }
    }
}

/// The month after which a certificate is no longer valid: MMYY, BCD.
struct CertificateExpiry: Sendable, Hashable {
    let year: Int
    /// 1 ... 12.
    let month: Int

    init(bcd bytes: ArraySlice<UInt8>) throws(CertificateFault) {
        let numbers = bytes.compactMap(EMV.bcd)
        guard bytes.count == 2, numbers.count == 2, (1...12).contains(numbers[0]) else { throw .expiryDate }
        month = numbers[0]
        year = numbers[1] < 50 ? 2000 + numbers[1] : 1900 + numbers[1]
    }

    /// Valid to the last day of the month.
    func isPast(on date: CardDate) -> Bool {
        (year, month) < (date.year, date.month)
    }
}
