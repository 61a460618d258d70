import BERTLV
import EMV
import Testing

/// EMV Book 3, 10.7 and 10.8, and the answer formats of 6.5.5.4.
@Suite struct FirstGenerateACTests {
    private static let ask = KernelCard.first(tvr: "8000008000", cvm: "1F0002")

    private static func answered(_ answer: String, asked: String = ask) -> String {
        KernelCard().reading + "\(asked) < \(answer)"
    }

    @Test("the card gets the whole amount, the country, the currency, the moment and the number")
    func cardData() throws {
        let text = Self.answered(
            "\(KernelCard.arqc)9000\nhost 00 yes\n80AE4000* < \(KernelCard.cryptogram("40"))9000")
        let replay = try replay(text)
        let sent = try #require(replay.commands.first { $0.hasPrefix("80AE80") })
        #expect(
            sent == "80AE800026" + "000000011500" + "000000000000" + "0484" + "8000008000" + "0484" + "261130" + "00"
                + "102030" + "11223344" + "1F0002" + "24" + "0000" + "00")
        #expect(replay.outcome == .approved)
    }

    @Test(
        "an ARQC in either format leads to the issuer, and its data are kept",
        arguments: [
            (KernelCard.arqc, "06010A03A4B800"), (tlv("80", "80", "0029", "7CB3BA090724C524"), nil),
            (tlv("80", "8000297CB3BA090724C524", "06010A03A4B800"), "06010A03A4B800"),
            (tlv("77", tlv("9F26", "7CB3BA090724C524"), tlv("9F36", "0029"), tlv("9F27", "8F")), nil),
        ] as [(String, String?)])
    func requestCryptogram(answer: String, issuerData: String?) throws {
        let replay = try replay(
            Self.answered("\(answer)9000\nhost unable\n80AE0000* < \(KernelCard.cryptogram("00"))9000"))
        #expect(replay.outcome == .declinedUnableToGoOnline)
        #expect(replay.kernel.hasAuthorisationRequestCryptogram)
        #expect(replay.kernel.onlineValue(of: 0x9F26) == bytes("7CB3BA090724C524"))
        #expect(replay.kernel.onlineValue(of: 0x9F36) == bytes("0029"))
        #expect(replay.kernel.onlineValue(of: 0x9F27)?.first.map { $0 & 0xC0 } == 0x80)
        if let issuerData { #expect(replay.kernel.onlineValue(of: 0x9F10) == bytes(issuerData)) }
    }

    @Test(
        "an AAC declines without the issuer; reason 1 says that the service is not allowed",
        arguments: [
            ("00", OfflineDecline.cardOrTerminalDecision), ("01", .serviceNotAllowed),
            ("02", .cardOrTerminalDecision), ("08", .cardOrTerminalDecision), ("09", .serviceNotAllowed),
        ])
    func declined(information: String, reason: OfflineDecline) throws {
        let replay = try replay(Self.answered(KernelCard.cryptogram(information) + "9000"))
        #expect(replay.outcome == .declinedOffline(reason))
        #expect(!replay.kernel.hasAuthorisationRequestCryptogram)
        #expect(replay.value(0x8A) == "5A31")
        #expect(replay.value(0x9B) == "6800")
    }

    @Test("a card cannot go above what it was asked for")
    func above() throws {
        let fault = CardFault(stage: .firstGenerateAC, reason: "the card answered above what was asked")
        #expect(try replay(Self.answered(KernelCard.cryptogram("40") + "9000")).outcome == .cardError(fault))
    }

    @Test(
        "an answer that is none is a fault of the card",
        arguments: [
            "9000", "770080009000", tlv("80", "8000297CB3BA090724C5") + "9000",
            tlv("80", "8000297CB3BA090724C524" + String(repeating: "00", count: 33)) + "9000",
            tlv("77", tlv("9F36", "0029"), tlv("9F26", "7CB3BA090724C524")) + "9000",
            tlv("77", tlv("9F27", "80"), tlv("9F26", "7CB3BA090724C524")) + "9000",
            tlv("77", tlv("9F27", "80"), tlv("9F36", "0029")) + "9000",
            tlv("77", tlv("9F27", "80"), tlv("9F36", "0029"), tlv("9F26", "7CB3BA090724C5")) + "9000",
            tlv("77", tlv("9F27", "8000"), tlv("9F36", "0029"), tlv("9F26", "7CB3BA090724C524")) + "9000",
            tlv("77", tlv("9F27", "80"), tlv("9F27", "80"), tlv("9F36", "0029"), tlv("9F26", "7CB3BA090724C524"))
                + "9000",
            KernelCard.cryptogram("C0") + "9000", KernelCard.arqc + KernelCard.arqc + "9000",
            tlv("70", tlv("9F27", "80"), tlv("9F36", "0029"), tlv("9F26", "7CB3BA090724C524")) + "9000",
            KernelCard.arqc + "6283", "6985", "6A80",
        ])
    func malformed(answer: String) throws {
        let replay = try replay(Self.answered(answer))
        guard case .cardError(let fault) = replay.outcome else {
            Issue.record("no fault")
            return
        }
        #expect(fault.stage == .firstGenerateAC)
        #expect(!replay.kernel.hasAuthorisationRequestCryptogram)
    }

    @Test(
        "a denial code that meets the TVR asks for an AAC",
        arguments: [("8000000000", "0000000000"), ("0000000000", "0000008000"), ("0000008000", "8000000000")])
    func denial(issuer: String, acquirer: String) throws {
        var card = KernelCard()
        card.objects["9F0E"] = issuer
        var application = TerminalApplication.visa
        application.actionCodeDenial = bytes(acquirer)
        let ask = card.reading + KernelCard.first("00", tvr: "8000008000", cvm: "1F0002")
        let terminal = Replay.terminal([application])
        let declined = try replay("\(ask) < \(KernelCard.cryptogram("00"))9000", terminal: terminal)
        #expect(declined.outcome == .declinedOffline(.cardOrTerminalDecision))
        let fault = CardFault(stage: .firstGenerateAC, reason: "the card answered above what was asked")
        #expect(try replay("\(ask) < \(KernelCard.arqc)9000", terminal: terminal).outcome == .cardError(fault))
    }

    @Test("denial codes of other bits change nothing")
    func noDenial() throws {
        var card = KernelCard()
        card.objects["9F0E"] = "7FFFFF7FFF"
        #expect(try replay(card.approved).outcome == .approved)
    }

    @Test("objects that come with a cryptogram cannot replace the records or the terminal's data")
    func replacement() throws {
        let answer = tlv(
            "77", tlv("9F27", "80"), tlv("9F36", "0029"), tlv("9F26", "7CB3BA090724C524"),
            tlv("5A", "4111111111111111"),
            tlv("9F02", "000000000001"), tlv("8D", ""))
        let text = Self.answered("\(answer)9000\nhost 05 no\n80AE0000* < \(KernelCard.cryptogram("00"))9000")
        let replay = try replay(text)
        #expect(replay.outcome == .declinedByIssuer)
        #expect(replay.kernel.onlineValue(of: 0x5A) == bytes("4761739001010119"))
        #expect(replay.kernel.onlineValue(of: 0x9F02) == bytes("000000011500"))
    }
}
