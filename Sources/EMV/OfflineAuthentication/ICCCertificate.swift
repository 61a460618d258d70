import Crypto

/// A public key of the card, certified by its issuer (Book 2, 6.4, table 14; for the PIN key 7.1, table 23).
struct ICCCertificate: Sendable, Hashable {
    let key: RSAPublicKey
    let expiry: CertificateExpiry
    /// SHA-1, as signed.
    let hash: [UInt8]

    /// Bytes of the certificate that are not key.
    private static let otherBytes = 42

    /// Recovers and checks in the order of Book 2, 6.4.
    /// - Parameter staticData: the static data to be authenticated; empty for a PIN encipherment key.
    init(
        recovering objects: CertificateObjects, issuerKey: RSAPublicKey, staticData: [UInt8], pan: PAN, date: CardDate
    ) throws(CertificateFault) {
        let body = try Body(recovering: objects, issuerKey: issuerKey)
        try body.signed.verifyHash(with: objects.hashed + staticData)
        try self.init(body, objects, issuerKey: issuerKey, pan: pan, date: date)
    }

    /// A certificate whose signature was undone but whose hash is not checked yet.
    struct Body: Sendable, Hashable {
        let signed: SignedData

        init(recovering objects: CertificateObjects, issuerKey: RSAPublicKey) throws(CertificateFault) {
            signed = try SignedData(recovering: objects.certificate, with: issuerKey, format: .iccCertificate)
            try signed.checkHashAlgorithm(at: 16)
            try objects.requireRemainder(
                length: Int(signed.message[18]), room: issuerKey.modulus.count - ICCCertificate.otherBytes)
        }
    }

    /// The checks after the hash.
    init(
        _ body: Body, _ objects: CertificateObjects, issuerKey: RSAPublicKey, pan: PAN, date: CardDate
    ) throws(CertificateFault) {
        let fields = body.signed.message
        guard PAN(compressedNumeric: Array(fields[1..<11])) == pan else { throw .accountNumber }
        expiry = try CertificateExpiry(bcd: fields[11..<13])
        guard !expiry.isPast(on: date) else { throw .expired }
        guard fields[17] == 0x01 else { throw .keyAlgorithm }
        let signerLength = issuerKey.modulus.count
        key = try objects.key(
            field: fields[20..<20 + signerLength - Self.otherBytes], length: Int(fields[18]),
            signerLength: signerLength)
        hash = body.signed.hash
    }
}
