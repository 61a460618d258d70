import Crypto

/// The issuer's public key, certified by the scheme (Book 2, 5.3, table 6).
struct IssuerCertificate: Sendable, Hashable {
    let key: RSAPublicKey
    let expiry: CertificateExpiry
    /// Three bytes.
    let serialNumber: [UInt8]
    /// SHA-1, as signed.
    let hash: [UInt8]

    /// Bytes of the certificate that are not key.
    private static let otherBytes = 36

    /// Recovers and checks in the order of Book 2, 5.3.
    init(
        recovering objects: CertificateObjects, authority: CertificationAuthorityKey, pan: PAN, date: CardDate,
        revoked: CertificateRevocationList
    ) throws(CertificateFault) {
        let signed = try SignedData(recovering: objects.certificate, with: authority.key, format: .issuerCertificate)
        let fields = signed.message
        try signed.checkHashAlgorithm(at: 10)
        let signerLength = authority.key.modulus.count
        try objects.requireRemainder(length: Int(fields[12]), room: signerLength - Self.otherBytes)
        try signed.verifyHash(with: objects.hashed)
        guard Self.identifier(fields[1..<5], begins: pan) else { throw .issuerIdentifier }
        expiry = try CertificateExpiry(bcd: fields[5..<7])
        guard !expiry.isPast(on: date) else { throw .expired }
        serialNumber = Array(fields[7..<10])
        guard !revoked.contains(provider: authority.provider, index: authority.index, serialNumber: serialNumber)
        else { throw .revoked }
        guard fields[11] == 0x01 else { throw .keyAlgorithm }
        key = try objects.key(
            field: fields[14..<14 + signerLength - Self.otherBytes], length: Int(fields[12]),
            signerLength: signerLength)
        hash = signed.hash
    }

    /// Three to eight digits, filled up with F, that begin the account number.
    private static func identifier(_ bytes: ArraySlice<UInt8>, begins pan: PAN) -> Bool {
        let nibbles = bytes.flatMap { [$0 >> 4, $0 & 0x0F] }
        let digits = nibbles.prefix { $0 < 10 }
        guard digits.count >= 3, nibbles.dropFirst(digits.count).allSatisfy({ $0 == 0x0F }) else { return false }
        return pan.withDigits { $0.starts(with: digits) }
    }
}
