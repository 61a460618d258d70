import BERTLV
import Crypto

/// What the card's certificates are checked against, and the steps from the scheme's key to the card's (Book 2, 5 to 7).
struct CardKeyRecovery: Sendable {
    let card: CardObjects
    /// The AID in use; its first five bytes name the scheme.
    let applicationIdentifier: [UInt8]
    let staticData: StaticAuthenticationData
    let keys: CertificationAuthorityKeyStore
    let date: CardDate

    init(_ context: TransactionContext, staticData: StaticAuthenticationData, keys: CertificationAuthorityKeyStore) {
        card = context.card
        applicationIdentifier = context.application?.aid ?? []
        self.staticData = staticData
        self.keys = keys
        date = context.transaction.time.date
    }

    /// Throws `dataMissing` with those of the tags that the card does not have.
    func require(_ tags: [Tag]) throws(OfflineAuthenticationFailure) {
        let missing = tags.filter { card[$0] == nil }
        guard missing.isEmpty else { throw .dataMissing(missing) }
    }

    func issuerKey() throws(OfflineAuthenticationFailure) -> RSAPublicKey {
        try require([
            .certificationAuthorityPublicKeyIndex, .issuerPublicKeyCertificate, .issuerPublicKeyExponent,
        ])
        guard let index = card[.certificationAuthorityPublicKeyIndex], index.count == 1,
            let authority = keys.key(provider: applicationIdentifier, index: index[0])
        else { throw .certificationAuthorityKeyMissing }
        if let expires = authority.expires, expires < date { throw .certificationAuthorityKeyExpired }
        let objects = objects(
            .issuerPublicKeyCertificate, remainder: .issuerPublicKeyRemainder, exponent: .issuerPublicKeyExponent)
        let pan = try accountNumber()
        do throws(CertificateFault) {
            return try IssuerCertificate(
                recovering: objects, authority: authority, pan: pan, date: date, revoked: keys.revoked
            ).key
        } catch {
            throw .issuerCertificate(error)
        }
    }

    /// The key with which the card signs.
    func iccKey() throws(OfflineAuthenticationFailure) -> RSAPublicKey {
        try require([.iccPublicKeyCertificate, .iccPublicKeyExponent])
        let issuerKey = try issuerKey()
        let signed = try staticData.value(with: card)
        let objects = objects(
            .iccPublicKeyCertificate, remainder: .iccPublicKeyRemainder, exponent: .iccPublicKeyExponent)
        let pan = try accountNumber()
        do throws(CertificateFault) {
            return try ICCCertificate(
                recovering: objects, issuerKey: issuerKey, staticData: signed, pan: pan, date: date
            ).key
        } catch {
            throw .iccCertificate(error)
        }
    }

    /// The key under which the card takes an enciphered PIN: its own for that purpose, else the one with which it signs
    /// (Book 2, 7.1).
    func pinEnciphermentKey() throws(OfflineAuthenticationFailure) -> RSAPublicKey {
        guard card[.iccPINEnciphermentCertificate] != nil else { return try iccKey() }
        try require([.iccPINEnciphermentExponent])
        let issuerKey = try issuerKey()
        let objects = objects(
            .iccPINEnciphermentCertificate, remainder: .iccPINEnciphermentRemainder,
            exponent: .iccPINEnciphermentExponent)
        let pan = try accountNumber()
        do throws(CertificateFault) {
            return try ICCCertificate(
                recovering: objects, issuerKey: issuerKey, staticData: [], pan: pan, date: date
            ).key
        } catch {
            throw .pinEnciphermentCertificate(error)
        }
    }

    private func objects(_ certificate: Tag, remainder: Tag, exponent: Tag) -> CertificateObjects {
        CertificateObjects(
            certificate: card[certificate] ?? [], remainder: card[remainder], exponent: card[exponent] ?? [])
    }

    private func accountNumber() throws(OfflineAuthenticationFailure) -> PAN {
        guard let pan = card[.primaryAccountNumber].flatMap(PAN.init(compressedNumeric:)) else {
            throw .dataMissing([.primaryAccountNumber])
        }
        return pan
    }
}
