import Crypto
import EMV
import Testing

@testable import Gateways

/// Card data that a secured reader has encrypted: the issuer decides as if they had come in clear, and nobody between can
/// read them.
@Suite struct EncryptedAccountTests {
    private static let serial = octets("FFFF9876543210E00003")

    /// As a reader does it: triple DES in CBC mode with a zero IV, under the data key of the serial number.
    private func encrypt(_ plain: [UInt8], serial: [UInt8] = serial) throws -> [UInt8] {
        let host = try TripleDESDUKPT(baseDerivationKey: SecretBytes(octets("0123456789ABCDEFFEDCBA9876543210")))
        let cipher = try TripleDES(key: try host.dataKey(serial))
        let padded = plain + [UInt8](repeating: 0, count: (8 - plain.count % 8) % 8)
        var previous = [UInt8](repeating: 0, count: 8)
        var sealed: [UInt8] = []
        for start in stride(from: 0, to: padded.count, by: 8) {
            previous = try cipher.encryptBlock(zip(padded[start..<start + 8], previous).map { $0 ^ $1 })
            sealed += previous
        }
        return sealed
    }

    private func account(
        _ content: EncryptedCardData.Content, _ cipherText: [UInt8], serial: [UInt8] = serial
    ) throws -> AccountData {
        .encrypted(
            try #require(
                EncryptedCardData(scheme: .tdesDUKPT, keySerialNumber: serial, parts: [content: cipherText])))
    }

    private func request(_ account: AccountData) throws -> AuthorisationRequest {
        let card = SampleCard.visa10
        return try AuthorisationRequest(
            attempt: SampleRequest.attempt("a-1"), amount: SampleRequest.amount("123.45"),
            tip: SampleRequest.amount("0.00"), account: account, panSequenceNumber: card.sequence,
            entryMode: .contactChip, chipData: ChipDataProfile.request.build { card.objects[$0] },
            terminal: SampleRequest.terminal, moment: SampleRequest.moment())
    }

    private func track2(_ expiry: String) -> String { SampleCard.visa10.pan + "D" + expiry + "20100000F" }

    @Test("tag 57 or track 2 under the reader's key: approved, with the same ARPC as in clear")
    func approved() async throws {
        let clear = try await SimulatedHost().answer(SampleRequest.chip(.visa10))
        let chip = try await SimulatedHost().answer(
            request(account(.track2Equivalent, encrypt(octets(track2("3012"))))))
        let stripe = ";" + SampleCard.visa10.pan + "=301220100000?"
        let ascii = try await SimulatedHost().answer(request(account(.track2, encrypt(Array(stripe.utf8)))))
        #expect(clear.responseCode == .approved)
        #expect(chip == clear)
        #expect(ascii == clear)
    }

    @Test("an expired card is refused as in clear")
    func expired() async throws {
        let answer = try await SimulatedHost().answer(
            request(account(.track2Equivalent, encrypt(octets(track2("2610"))))))
        #expect(answer.responseCode == .expiredCard)
    }

    @Test("another key, or bytes that are no track: declined, and the log says why")
    func unreadable() async throws {
        let sealed = try encrypt(octets(track2("3012")))
        let cases = try [
            account(.track2Equivalent, sealed, serial: octets("FFFF9876543210E00004")),
            account(.track2Equivalent, encrypt([UInt8](repeating: 0xD1, count: 16))),
            account(.track2Equivalent, Array(sealed.dropLast())),
            account(.track1, sealed),
        ]
        for account in cases {
            let host = try SimulatedHost()
            #expect(try await host.answer(request(account)).responseCode == .declined)
            #expect(host.gateway.decisions.map(\.reason) == [.accountUnreadable])
        }
    }

    @Test("the private field: version, scheme, serial number, parts; back to the same")
    func field() throws {
        let data = try #require(
            EncryptedCardData(
                scheme: .tdesDUKPT, keySerialNumber: Self.serial,
                parts: [.track2Equivalent: octets("A1A2A3A4A5A6A7A8"), .track1: octets("B1B2B3B4B5B6B7B8")]))
        let text = try EncryptedCardField.encode(data)
        #expect(
            text == "01010AFFFF9876543210E00003" + "010008A1A2A3A4A5A6A7A8" + "030008B1B2B3B4B5B6B7B8")
        #expect(EncryptedCardField.decode(text) == data)
    }

    @Test(
        "a field that is not of this form is refused",
        arguments: [
            "", "01", "02010AFFFF9876543210E00003010001AA", "01030AFFFF9876543210E00003010001AA",
            "01010AFFFF9876543210E00003", "01010AFFFF9876543210E00003000001AA", "01010AFFFF9876543210E00003060001AA",
            "01010AFFFF9876543210E00003010002AA", "01010AFFFF9876543210E00003010000",
            "01010AFFFF9876543210E00003010001AA010001AA", "0101FFFFFF", "010100010001AA", "xx",
        ])
    func badFields(_ text: String) {
        #expect(EncryptedCardField.decode(text) == nil)
    }

    @Test("what does not fit into the field is not sent")
    func tooLong() throws {
        let data = try #require(
            EncryptedCardData(
                scheme: .unknown, keySerialNumber: Self.serial, parts: [.track1: [UInt8](repeating: 1, count: 500)]))
        #expect(throws: GatewayError.badRequest(reason: "the encrypted card data are too long for the message")) {
            try EncryptedCardField.encode(data)
        }
    }
}

extension SimulatedHost {
    fileprivate func answer(_ request: AuthorisationRequest) async throws -> AuthorisationResponse {
        try await gateway.authorise(request, until: soon)
    }
}
