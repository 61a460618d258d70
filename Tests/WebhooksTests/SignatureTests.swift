import Crypto
import Testing
import Webhooks

struct SignatureTests {
    private let secret = SecretBytes(Array("demo-secret".utf8))
    private let body = Array(#"{"result":"aprobada","amount":"100.00"}"#.utf8)
    private let time: Int64 = 1_700_000_000
    // The known answer of Kushki's documentation; OpenSSL's hmac gives the same.
    private let signature = "1a06bc15194ea668867abcc926f6a2d2c1fc1209f3c4035dd07cefa99195e04f"

    @Test func theKnownAnswerIsReproduced() throws {
        let made = try WebhookSignature(body: body, time: time, secret: secret)
        #expect(
            made.headers(keyID: "merchant-1") == [
                "X-Kushki-Key: merchant-1", "X-Kushki-Id: 1700000000", "X-Kushki-Signature: \(signature)",
                "X-Kushki-SimpleSignature: e79878a0dfdf6c69a40c41dd4c202e09480e0d8e94c2aab57dbba4c78ee20c46",
            ])
    }

    @Test(arguments: [
        (Int64(0), WebhookCheck.genuine), (300, .genuine), (-300, .genuine), (301, .staleTime), (-301, .staleTime),
    ])
    func aSignatureHoldsForFiveMinutesEitherWay(_ offset: Int64, _ expected: WebhookCheck) throws {
        #expect(try check(now: time + offset) == expected)
    }

    @Test func anUpperCaseSignatureIsTheSame() throws {
        #expect(try check(signature: signature.uppercased()) == .genuine)
    }

    @Test func anyOtherSignatureIsRefused() throws {
        for other in [nil, "", String(signature.dropLast()), "0" + signature.dropFirst(), signature + "0"] {
            #expect(try check(signature: .some(other)) == .badSignature)
        }
        let spaced = Array(#"{"result":"aprobada", "amount":"100.00"}"#.utf8)
        #expect(try check(body: spaced) == .badSignature)
        #expect(try check(id: "1700000001") == .badSignature)
        #expect(WebhookCheck.badSignature.status == 403)
    }

    @Test(arguments: [nil, "", "now", "-9223372036854775808", "99999999999999999999"])
    func aTimeThatIsNoneIsRefused(_ id: String?) throws {
        #expect(try check(id: id) == .staleTime)
        #expect(WebhookCheck.staleTime.status == 403)
    }

    @Test func thePingIsAnsweredWithoutASignature() throws {
        let verdict = try WebhookCheck.check(body: Array("{}".utf8), id: nil, signature: nil, secret: secret, now: 0)
        #expect(verdict == .ping)
        #expect(verdict.status == 200)
    }

    private func check(
        body: [UInt8]? = nil, id: String? = "1700000000", signature: String?? = nil, now: Int64? = nil
    ) throws -> WebhookCheck {
        try WebhookCheck.check(
            body: body ?? self.body, id: id, signature: signature ?? self.signature, secret: secret, now: now ?? time)
    }
}
