import Crypto
import Testing

@testable import EMV

/// EMV fact vectors: the chain below Visa 94 and the transcript below Mastercard EF. Their certificates have expired, so
/// the date is given.
struct PublishedVectorTests {
    let pan = accountNumber("4761739001010119")
    let date = CardDate(year: 2022, month: 12, day: 31)

    func issuer(on date: CardDate) throws -> IssuerCertificate {
        let authority = try #require(
            try CertificationAuthorityKeyStore.test().key(provider: octets("A0000000031010"), index: 0x94))
        return try IssuerCertificate(
            recovering: CertificateObjects(
                certificate: octets(VisaChain.issuerCertificate), remainder: nil, exponent: [3]),
            authority: authority, pan: try #require(pan), date: date, revoked: .init())
    }

    func chip(on date: CardDate) throws -> ICCCertificate {
        let objects = CertificateObjects(
            certificate: octets(VisaChain.iccCertificate), remainder: octets(VisaChain.iccRemainder), exponent: [3])
        let key = try issuer(on: date).key
        let body = try ICCCertificate.Body(recovering: objects, issuerKey: key)
        return try ICCCertificate(body, objects, issuerKey: key, pan: try #require(pan), date: date)
    }

    @Test func issuerCertificateGivesThePublishedKey() throws {
        let issuer = try issuer(on: date)
        #expect(issuer.hash == octets("BD4D1A9B4BB76388DB2E91103035EDEDFBE80534"))
        #expect(issuer.serialNumber == octets("03DA0A"))
        #expect(issuer.key.modulus.count == 176)
        #expect(try SHA1.digest(of: issuer.key.modulus) == octets("15E8163B32C568F2C7E385874A963D6EA081D49C"))
        #expect(issuer.expiry == (try CertificateExpiry(bcd: [0x12, 0x31])))
    }

    @Test func iccCertificateGivesThePublishedKey() throws {
        let chip = try chip(on: date)
        #expect(chip.hash == octets("B8D9B5F7A12DC0D77FC0B2F7BBACA514939CAD60"))
        #expect(chip.key.modulus.count == 176)
        #expect(try SHA1.digest(of: chip.key.modulus) == octets("8D1D5436E1A1474564CC43755501B9B182DE9E6B"))
    }

    @Test func certificatesEndWithTheirMonth() throws {
        #expect(throws: CertificateFault.expired) { try chip(on: CardDate(year: 2023, month: 1, day: 1)) }
        #expect(throws: CertificateFault.expired) { try issuer(on: CardDate(year: 2032, month: 1, day: 1)) }
        #expect(throws: Never.self) { try issuer(on: CardDate(year: 2031, month: 12, day: 31)) }
    }

    @Test func staticSignatureHasThePublishedContent() throws {
        let signed = try SignedData(
            recovering: octets(VisaChain.staticSignature), with: issuer(on: date).key, format: .staticApplicationData)
        #expect(signed.message.prefix(4) == [0x03, 0x01, 0xDA, 0xC0])
        #expect(signed.message.dropFirst(4).allSatisfy { $0 == 0xBB })
        #expect(signed.hash == octets("4E2821974D704E338E7218F887763F7BDCE2B814"))
    }

    @Test func dynamicSignatureHasThePublishedNumber() throws {
        let signature = try DynamicSignature(
            recovering: octets(VisaChain.dynamicSignature), with: chip(on: date).key,
            terminalData: octets("7FBC4049"))
        #expect(signature.iccDynamicNumber == octets("00AE"))
        #expect(throws: OfflineAuthenticationFailure.dynamicSignature(.hash)) {
            try DynamicSignature(
                recovering: octets(VisaChain.dynamicSignature), with: chip(on: date).key,
                terminalData: octets("7FBC4048"))
        }
    }

    func transcript(methods: UInt8) throws -> AuthenticatedCard {
        try AuthenticatedCard(
            application: "A0000000041010", processingOptions: MChipTranscript.processingOptions,
            records: MChipTranscript.records, methods: methods,
            transaction: AuthenticatedCard.transaction(year: 2012, month: 3, day: 16))
    }

    @Test func staticDataOfTheTranscriptHaveThePublishedHash() throws {
        let (context, staticData) = try transcript(methods: 0x80).read()
        let data = try staticData.value(with: context.card)
        #expect(data.count == 145)
        #expect(try SHA1.digest(of: data) == octets("C3FDB154C6CB52D00C22FA80C786B36075A19659"))
    }

    @Test func transcriptPassesStaticDataAuthentication() throws {
        let outcome = try transcript(methods: 0x80).outcome()
        #expect(outcome?.result == .staticDataSucceeded(dataAuthenticationCode: [0xDA, 0xC0]))
    }

    @Test func transcriptGivesThePublishedKeys() throws {
        let (context, staticData) = try transcript(methods: 0xC8).read()
        let recovery = CardKeyRecovery(context, staticData: staticData, keys: try .test())
        let issuerKey = try recovery.issuerKey()
        #expect(issuerKey.modulus.count == 144 && issuerKey.exponent == [1, 0, 1])
        let chipKey = try recovery.iccKey()
        #expect(chipKey.modulus.count == 144 && chipKey.exponent == [1, 0, 1])
        #expect(chipKey.modulus.suffix(42) == context.card[.iccPublicKeyRemainder]?[...])
        let static9F46 = try SignedData(
            recovering: context.card[.iccPublicKeyCertificate] ?? [], with: issuerKey, format: .iccCertificate)
        #expect(static9F46.hash == octets("0BC6BF552A2FF08E8EF9865F23CEB98B8E269E66"))
        guard case .combined = try transcript(methods: 0xC8).start().1 else {
            Issue.record("CDA was not chosen")
            return
        }
    }

    @Test func transcriptFailsAfterItsCertificate() throws {
        func step(year: Int, month: Int, day: Int) throws -> OfflineDataAuthentication.Step {
            let card = try AuthenticatedCard(
                application: "A0000000041010", processingOptions: MChipTranscript.processingOptions,
                records: MChipTranscript.records, methods: 0xC8,
                transaction: AuthenticatedCard.transaction(year: year, month: month, day: day))
            return try card.start().1
        }
        guard case .combined = try step(year: 2014, month: 12, day: 31),
            case .done(let outcome) = try step(year: 2015, month: 1, day: 1)
        else {
            Issue.record("the certificates do not end with December 2014")
            return
        }
        #expect(outcome.result == .failed(.issuerCertificate(.expired)))
    }
}
