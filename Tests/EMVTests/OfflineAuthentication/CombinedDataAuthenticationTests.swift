import BERTLV
import FirmwareCores
import Testing

@testable import EMV

struct CombinedDataAuthenticationTests {
    /// A card that was asked for a signed ARQC.
    struct Dialogue {
        let chip: EMVCardCore
        let card: AuthenticatedCard
        let combined: CombinedDataAuthentication
        var context: TransactionContext
        let cdol1Data: [UInt8]
        let answer: ResponseAPDU

        init(_ name: String, signed: Bool = true) throws {
            chip = try .simulated(name)
            card = try AuthenticatedCard(chip)
            let (_, step, started) = try card.start()
            var context = started
            guard case .combined(let combined) = step else { throw AuthenticatedCard.Unexpected() }
            self.combined = combined
            var command = try #require(GenerateAC.command(.authorisationRequestCryptogram, dol: .cdol1, &context))
            self.context = context
            cdol1Data = command.data
            if signed { command.p1 |= CombinedDataAuthentication.requestBit }
            answer = try chip.answer(command)
        }

        /// CDOL2 data and the signed answer to a request for a TC.
        mutating func second() throws -> (data: [UInt8], answer: ResponseAPDU) {
            context.responseCode = Array("00".utf8)
            var command = try #require(GenerateAC.command(.transactionCertificate, dol: .cdol2, &context))
            command.p1 |= CombinedDataAuthentication.requestBit
            return (command.data, try chip.answer(command))
        }
    }

    private static func values(_ response: CryptogramResponse) -> [BERTLV.Tag: [UInt8]] {
        Dictionary(
            response.objects.map { ($0.tag, Array(response.answer[$0.valueRange])) }, uniquingKeysWith: { $1 })
    }

    @Test func signedCryptogramIsTheUnsignedOne() throws {
        let dialogue = try Dialogue("mastercard-cda")
        let signed = try dialogue.combined.verifyFirst(dialogue.answer.data, cdol1Data: dialogue.cdol1Data)
        #expect(signed.iccDynamicNumber.count == 8)
        let response = try #require(CryptogramResponse(parsing: signed.response))
        #expect(response.type == .authorisationRequestCryptogram)
        let unsigned = try Dialogue("mastercard-cda", signed: false).answer
        let expected = try #require(CryptogramResponse(parsing: unsigned.data))
        #expect(Self.values(response) == Self.values(expected))
        #expect(Self.values(expected)[0x9F26] == signed.applicationCryptogram)
        var context = dialogue.context
        signed.outcome.apply(to: &context)
        #expect(context.tvr.bytes == [0, 0, 0, 0, 0] && context.tsi.bytes == [0x80, 0])
        #expect(context.value(of: 0x9F4C) == signed.iccDynamicNumber)
    }

    @Test func secondCryptogramIsSignedWithBothLists() throws {
        var dialogue = try Dialogue("mastercard-cda")
        let (data, answer) = try dialogue.second()
        let signed = try dialogue.combined.verifySecond(
            answer.data, cdol1Data: dialogue.cdol1Data, cdol2Data: data)
        #expect(try #require(CryptogramResponse(parsing: signed.response)).type == .transactionCertificate)
        #expect(throws: OfflineAuthenticationFailure.transactionDataHash) {
            try dialogue.combined.verifyFirst(answer.data, cdol1Data: data)
        }
        var changed = data
        changed[0] ^= 0x10
        #expect(throws: OfflineAuthenticationFailure.transactionDataHash) {
            try dialogue.combined.verifySecond(answer.data, cdol1Data: dialogue.cdol1Data, cdol2Data: changed)
        }
    }

    @Test func cardThatSignsAnotherTransactionIsNoticed() throws {
        let dialogue = try Dialogue("mastercard-cda-bad-hash")
        #expect(throws: OfflineAuthenticationFailure.transactionDataHash) {
            try dialogue.combined.verifyFirst(dialogue.answer.data, cdol1Data: dialogue.cdol1Data)
        }
        let outcome = OfflineAuthenticationOutcome(method: .combinedData, result: .failed(.transactionDataHash))
        var context = dialogue.context
        outcome.apply(to: &context)
        #expect(context.tvr.bytes == [0x04, 0, 0, 0, 0] && context.tsi.bytes == [0x80, 0])
    }

    @Test func anyChangeOfTheAnswerIsNoticed() throws {
        let dialogue = try Dialogue("mastercard-cda")
        for index in dialogue.answer.data.indices {
            var data = dialogue.answer.data
            data[index] ^= 1 << UInt8(index % 8)
            #expect(throws: OfflineAuthenticationFailure.self, "byte \(index)") {
                try dialogue.combined.verifyFirst(data, cdol1Data: dialogue.cdol1Data)
            }
        }
        // 77 81 len 9F27 01 80: the type of the cryptogram, then the counter.
        var other = dialogue.answer.data
        other[6] ^= 0xC0
        #expect(throws: OfflineAuthenticationFailure.cryptogramInformation) {
            try dialogue.combined.verifyFirst(other, cdol1Data: dialogue.cdol1Data)
        }
        other = dialogue.answer.data
        other[11] ^= 0x01
        #expect(throws: OfflineAuthenticationFailure.transactionDataHash) {
            try dialogue.combined.verifyFirst(other, cdol1Data: dialogue.cdol1Data)
        }
    }

    @Test func anyChangeOfWhatWasSentIsNoticed() throws {
        let dialogue = try Dialogue("mastercard-cda")
        for index in dialogue.cdol1Data.indices {
            var data = dialogue.cdol1Data
            data[index] ^= 1 << UInt8(index % 8)
            #expect(throws: OfflineAuthenticationFailure.transactionDataHash, "byte \(index)") {
                try dialogue.combined.verifyFirst(dialogue.answer.data, cdol1Data: data)
            }
        }
        let (context, staticData) = try dialogue.card.read()
        let recovery = CardKeyRecovery(context, staticData: staticData, keys: try .test())
        #expect(!dialogue.card.processingOptionsData.isEmpty)
        let other = try CombinedDataAuthentication(
            recovery, processingOptionsData: dialogue.card.processingOptionsData.map { $0 ^ 0x01 },
            unpredictableNumber: context.transaction.unpredictableNumber)
        #expect(throws: OfflineAuthenticationFailure.transactionDataHash) {
            try other.verifyFirst(dialogue.answer.data, cdol1Data: dialogue.cdol1Data)
        }
        let stale = try CombinedDataAuthentication(
            recovery, processingOptionsData: dialogue.card.processingOptionsData, unpredictableNumber: [0, 0, 0, 0])
        #expect(throws: OfflineAuthenticationFailure.dynamicSignature(.hash)) {
            try stale.verifyFirst(dialogue.answer.data, cdol1Data: dialogue.cdol1Data)
        }
    }

    @Test(arguments: [
        "", "77", "7700", "800B8000010011223344556677", "770A9F2701809F3602004100",
        "77149F2701809F360200419F26081122334455667788", "77089F2701809F4B0100",
    ])
    func answersWithoutASignatureFail(answer: String) throws {
        let dialogue = try Dialogue("mastercard-cda")
        #expect(throws: OfflineAuthenticationFailure.responseFormat) {
            try dialogue.combined.verifyFirst(octets(answer), cdol1Data: [])
        }
    }

    @Test func unsignedAnswerToARequestForASignatureFails() throws {
        let dialogue = try Dialogue("mastercard-cda", signed: false)
        #expect(throws: OfflineAuthenticationFailure.responseFormat) {
            try dialogue.combined.verifyFirst(dialogue.answer.data, cdol1Data: dialogue.cdol1Data)
        }
    }

    @Test func cardWithAWrongCertificateFailsBeforeTheCryptogram() throws {
        var card = try AuthenticatedCard(try .simulated("mastercard-cda"))
        card.keys = .empty
        let outcome = try #require(try card.outcome())
        #expect(outcome.method == .combinedData)
        #expect(outcome.result == .failed(.certificationAuthorityKeyMissing))
        #expect(outcome.verificationResults == [.combinedDataAuthenticationFailed])
    }
}
