import BERTLV
import Crypto
import FirmwareCores
import Testing

@testable import EMV

struct OfflineAuthenticationRuleTests {
    @Test(arguments: [
        (UInt8(0x61), UInt8(0xC8), OfflineAuthenticationMethod.combinedData as OfflineAuthenticationMethod?),
        (0x61, 0xC0, .dynamicData), (0x61, 0x80, .staticData), (0x61, 0x00, nil), (0x60, 0xC8, .dynamicData),
        (0x40, 0xC8, .staticData), (0x40, 0x48, nil), (0x20, 0x88, nil), (0x01, 0xC0, nil), (0x1E, 0xC8, nil),
    ])
    func bestCommonMethodIsChosen(card: UInt8, terminal: UInt8, method: OfflineAuthenticationMethod?) {
        #expect(
            OfflineAuthenticationMethod.choose(
                interchangeProfile: [card, 0], capabilities: [0x60, 0x08, terminal]) == method)
    }

    /// First ARQC, first TC, second TC.
    @Test(arguments: [
        (CombinedDataRequestMode.onlineAndFinal, [true, true, true]), (.online, [true, true, false]),
        (.neither, [false, true, false]), (.final, [false, true, true]),
    ])
    func modeSaysWhenASignatureIsAskedFor(mode: CombinedDataRequestMode, expected: [Bool]) {
        #expect(
            [
                mode.asksForSignature(on: .authorisationRequestCryptogram, afterApproval: false),
                mode.asksForSignature(on: .transactionCertificate, afterApproval: false),
                mode.asksForSignature(on: .transactionCertificate, afterApproval: true),
            ] == expected)
        for isApproved in [true, false] {
            #expect(!mode.asksForSignature(on: .applicationAuthenticationCryptogram, afterApproval: isApproved))
        }
    }

    @Test func nothingIsChosenFromNothing() {
        #expect(OfflineAuthenticationMethod.choose(interchangeProfile: [], capabilities: [0, 0, 0xFF]) == nil)
        #expect(OfflineAuthenticationMethod.choose(interchangeProfile: [0xFF, 0xFF], capabilities: [0, 0]) == nil)
    }

    @Test(arguments: [
        (OfflineAuthenticationMethod.staticData, OfflineAuthenticationFailure.dataMissing([0x93]), "62"),
        (.staticData, .staticSignature(.hash), "42"), (.dynamicData, .issuerCertificate(.remainderMissing), "28"),
        (.dynamicData, .responseFormat, "08"), (.combinedData, .dataMissing([0x9F46]), "24"),
        (.combinedData, .transactionDataHash, "04"),
    ])
    func failuresSetTheirBits(
        method: OfflineAuthenticationMethod, failure: OfflineAuthenticationFailure, firstByte: String
    ) throws {
        var context = TransactionContext(
            terminal: .mexicanKiosk, transaction: try AuthenticatedCard.transaction())
        OfflineAuthenticationOutcome(method: method, result: .failed(failure)).apply(to: &context)
        #expect(context.tvr.bytes == octets(firstByte + "00000000"))
        #expect(context.tsi.bytes == [0x80, 0x00])
        #expect(context.card[0x9F45] == nil && context.card[0x9F4C] == nil)
        #expect(!failure.description.isEmpty && failure.code.hasPrefix("oda."))
    }

    @Test func nothingPerformedIsNoted() throws {
        let card = try AuthenticatedCard(try .simulated("visa-credit"))
        let outcome = try #require(try card.outcome())
        #expect(outcome == .notPerformed)
        var (context, _) = try card.read()
        outcome.apply(to: &context)
        #expect(context.tvr.bytes == [0x80, 0, 0, 0, 0] && context.tsi.bytes == [0, 0])
    }

    @Test(arguments: [
        ("visa-sda", UInt8(0x80), ObjectTag(0x8F)), ("visa-sda", 0x80, 0x90), ("visa-sda", 0x80, 0x9F32),
        ("visa-sda", 0x80, 0x93), ("visa-dda", 0x40, 0x9F46), ("visa-dda", 0x40, 0x9F47),
        ("mastercard-cda", 0x08, 0x90),
    ])
    func missingObjectsAreNamed(name: String, methods: UInt8, tag: ObjectTag) throws {
        let outcome = try without(tag, of: name, methods: methods)
        #expect(outcome.result == .failed(.dataMissing([tag])))
        #expect(outcome.verificationResults.contains(.iccDataMissing))
    }

    @Test func missingRemaindersAreMissingData() throws {
        // The issuer's key of 144 bytes has 140 in its certificate, the chip's of 128 has 102.
        let issuer = try without(0x92, of: "visa-sda", methods: 0x80)
        #expect(issuer.result == .failed(.issuerCertificate(.remainderMissing)))
        #expect(issuer.verificationResults.contains(.iccDataMissing))
        let chip = try without(0x9F48, of: "visa-dda", methods: 0x40)
        #expect(chip.result == .failed(.iccCertificate(.remainderMissing)))
        #expect(chip.verificationResults.contains(.iccDataMissing))
    }

    private func without(_ tag: ObjectTag, of name: String, methods: UInt8) throws -> OfflineAuthenticationOutcome {
        var card = try AuthenticatedCard(try .simulated(name), methods: methods)
        let (record, node) = try #require(card.objects.first { $0.node.tag == tag })
        let children = (TLVTree(parsing: card.records[record].data).nodes.first?.children ?? []).filter { $0 != node }
        let kept = children.flatMap { card.records[record].data[$0.offset..<$0.valueRange.upperBound] }
        card.records[record].data = encodeTLV(0x70, kept)
        return try #require(try card.outcome())
    }

    @Test(arguments: ["9F3703", "9F3700", "9F0206", "9F37", "9F", "9F3704" + "9F02FF"])
    func listThatDoesNotAskForTheWholeNumberFails(list: String) throws {
        let (card, staticData) = try AuthenticatedCard(try .simulated("visa-dda")).read()
        var context = card
        context.card.replace(0x9F49, octets(list))
        let recovery = CardKeyRecovery(context, staticData: staticData, keys: try .test())
        #expect(throws: OfflineAuthenticationFailure.dynamicDataObjectList) {
            try DynamicDataAuthentication(recovery, context)
        }
    }

    @Test func cardWithoutAListIsSentTheNumberAlone() throws {
        let card = try AuthenticatedCard(try .simulated("visa-dda-1984"), methods: 0x40)
        guard case .transmit(let command) = try card.start().1 else {
            Issue.record("no INTERNAL AUTHENTICATE")
            return
        }
        #expect(command.bytes == octets("0088000004 7FBC4049 00"))
    }

    @Test func revokedAndExpiredKeysFail() throws {
        var card = try AuthenticatedCard(try .simulated("visa-sda"), methods: 0x80)
        let key = try #require(card.keys.key(provider: octets("A000000003"), index: 0xD1))
        let entry = try #require(
            CertificateRevocationList.Entry(provider: key.provider, index: 0xD1, serialNumber: [0, 0, 1]))
        card.keys = CertificationAuthorityKeyStore(keys: [key], revoked: .init([entry]))
        #expect(try card.outcome()?.result == .failed(.issuerCertificate(.revoked)))
        for (expires, failure) in [
            (CardDate(year: 2026, month: 6, day: 30), nil),
            (CardDate(year: 2026, month: 6, day: 29), OfflineAuthenticationFailure.certificationAuthorityKeyExpired),
        ] {
            let digest = try SHA1.digest(of: key.provider + [0xD1] + key.key.modulus + key.key.exponent)
            let dated = try CertificationAuthorityKey(
                provider: key.provider, index: 0xD1, modulus: key.key.modulus, exponent: key.key.exponent,
                expires: expires, checkValue: digest)
            card.keys = CertificationAuthorityKeyStore(keys: [dated])
            let result = try card.outcome()?.result
            #expect(
                result == failure.map { .failed($0) } ?? .staticDataSucceeded(dataAuthenticationCode: [0xDA, 0xC1]))
        }
    }

    @Test func keyOfAnotherSchemeIsNotTaken() throws {
        let store = try CertificationAuthorityKeyStore.test()
        #expect(store.key(provider: octets("A0000000031010"), index: 0xEF) == nil)
        #expect(store.key(provider: octets("A0000000041010"), index: 0xEF) != nil)
        #expect(store.key(provider: [], index: 0xEF) == nil)
    }

    struct RecordCase: Sendable {
        let file: UInt8
        let isMarked: Bool
        let data: String
        let value: String?
    }

    @Test(arguments: [
        RecordCase(file: 1, isMarked: true, data: "70035A0112", value: "5A0112"),
        RecordCase(file: 10, isMarked: true, data: "70035A01120000", value: "5A0112"),
        RecordCase(file: 11, isMarked: true, data: "70035A0112", value: "70035A0112"),
        RecordCase(file: 30, isMarked: true, data: "7081035A01120000", value: "7081035A0112"),
        RecordCase(file: 1, isMarked: false, data: "70035A0112", value: ""),
        RecordCase(file: 11, isMarked: false, data: "5A0112", value: ""),
        RecordCase(file: 11, isMarked: true, data: "5A0112", value: nil),
        RecordCase(file: 11, isMarked: true, data: "70035A01127000", value: nil),
        RecordCase(file: 11, isMarked: true, data: "70045A0112", value: nil),
        RecordCase(file: 11, isMarked: true, data: "", value: nil),
    ])
    func recordsGiveTheirPart(record: RecordCase) throws {
        var data = StaticAuthenticationData()
        data.add(octets(record.data), from: .init(file: record.file, number: 1, isAuthenticated: record.isMarked))
        guard let value = record.value else {
            #expect(throws: OfflineAuthenticationFailure.recordNotTemplate) { try data.value(with: CardObjects()) }
            return
        }
        #expect(try data.value(with: CardObjects()) == octets(value))
        data.wipe()
        #expect(try data.value(with: CardObjects()) == [])
    }

    @Test(arguments: [("82", "5C00"), ("9F02", nil), ("8282", nil), ("95", nil)])
    func onlyTheProfileMayBeListed(list: String, value: String?) throws {
        var card = CardObjects()
        _ = card.add(0x82, octets("5C00"))
        _ = card.add(0x9F4A, octets(list))
        let data = StaticAuthenticationData()
        if let value {
            #expect(try data.value(with: card) == octets(value))
        } else {
            #expect(throws: OfflineAuthenticationFailure.staticDataTagList) { try data.value(with: card) }
        }
    }
}
