import BERTLV
import EMV
import Testing

/// EMV Book 3, 10.9 to 10.11, and Book 4, 12.2.1: what follows the issuer's answer.
@Suite struct SecondGenerateACTests {
    private static let ask = "\(KernelCard().reading)80AE8000* < \(KernelCard.arqc)9000\n"
    private static let authentication = "11223344556677883030"
    private static let noAuthentication = "00000000000000000000"
    private static let tc = KernelCard.cryptogram("40") + "9000"

    private static func second(
        _ type: String, code: String = "3030", authentication: String = noAuthentication, tvr: String = "8000008000",
        tsi: String = "6800"
    ) -> String {
        KernelCard.second(type, code: code, authentication: authentication, tvr: tvr, tsi: tsi)
    }

    @Test("issuer authentication by command: passed")
    func authenticated() throws {
        let replay = try replay(
            Self.ask + """
                host 00 yes \(tlv("91", Self.authentication))
                008200000A\(Self.authentication) < 9000
                \(Self.second("40", authentication: Self.authentication, tsi: "7800")) < \(Self.tc)
                """)
        #expect(replay.outcome == .approved)
        #expect(replay.value(0x95) == "8000008000")
        #expect(replay.value(0x9B) == "7800")
        #expect(replay.value(0x9F27) == "40")
        #expect(replay.kernel.onlineValue(of: 0x9F27) == [0x80])
    }

    @Test(
        "issuer authentication by command: failed, and the card decides", arguments: ["6300", "6700", "6985", "6283"])
    func notAuthenticated(status: String) throws {
        let replay = try replay(
            Self.ask + """
                host 00 yes \(tlv("91", Self.authentication))
                008200000A\(Self.authentication) < \(status)
                \(Self.second("40", authentication: Self.authentication, tvr: "8000008040", tsi: "7800")) < \(Self.tc)
                """)
        #expect(replay.outcome == .approved)
        #expect(replay.value(0x95) == "8000008040")
        #expect(replay.kernel.onlineValue(of: 0x95) == bytes("8000008000"))
    }

    @Test("without the bit of the AIP tag 91 travels in CDOL2")
    func withoutCommand() throws {
        var card = KernelCard()
        card.profile = "1800"
        let replay = try replay(
            card.reading + """
                80AE8000* < \(KernelCard.arqc)9000
                host 00 yes \(tlv("91", Self.authentication))
                \(Self.second("40", authentication: Self.authentication)) < \(Self.tc)
                """)
        #expect(replay.outcome == .approved)
        #expect(replay.value(0x9B) == "6800")
    }

    @Test(
        "issuer data without a usable tag 91 send nothing to the card",
        arguments: ["", "9107112233445566 77", "9111" + String(repeating: "11", count: 17), "91", "FF"])
    func nothingToAuthenticate(data: String) throws {
        let replay = try replay(Self.ask + "host 00 yes \(data)\n\(Self.second("40")) < \(Self.tc)")
        #expect(replay.outcome == .approved)
        #expect(replay.value(0x95) == "8000008000")
    }

    @Test("tag 91 is found wherever the host put it")
    func nested() throws {
        let data = tlv("E1", tlv("8A", "3030"), tlv("72", tlv("9F18", "00000001")), tlv("91", Self.authentication))
        let text = Self.ask + "host 00 yes \(data)\n008200000A\(Self.authentication) < 9000\n80AE4000* < \(Self.tc)"
        #expect(try replay(text).outcome == .approved)
    }

    @Test(
        "an approval that the card does not confirm with a TC is the card's refusal",
        arguments: [
            KernelCard.cryptogram("00") + "9000", KernelCard.arqc + "9000", "9000", "6985", "6A80", "0000",
            tlv("80", "4000297CB3BA090724C5") + "9000", KernelCard.cryptogram("40") + "6283",
            KernelCard.cryptogram("C0") + "9000",
        ])
    func refusedByCard(answer: String) throws {
        #expect(
            try replay(Self.ask + "host 00 yes\n\(Self.second("40")) < \(answer)").outcome
                == .declinedByCardAfterApproval)
    }

    @Test("a card that breaks off during issuer authentication refuses an approval, and confirms a decline")
    func brokenOff() throws {
        let data = tlv("91", Self.authentication)
        #expect(
            try replay(Self.ask + "host 00 yes \(data)\n00820000* < 0000").outcome == .declinedByCardAfterApproval)
        #expect(try replay(Self.ask + "host 05 no \(data)\n00820000* < 0000").outcome == .declinedByIssuer)
    }

    @Test(
        "a decline of the issuer stays one, whatever the card answers",
        arguments: [KernelCard.cryptogram("00") + "9000", KernelCard.cryptogram("40") + "9000", "6985", "0000"])
    func declined(answer: String) throws {
        let replay = try replay(Self.ask + "host 05 no\n\(Self.second("00", code: "3035")) < \(answer)")
        #expect(replay.outcome == .declinedByIssuer)
        #expect(replay.value(0x8A) == "3035")
    }

    @Test("the last cryptogram of a declined payment is the AAC")
    func lastCryptogram() throws {
        let last = tlv("80", "00", "0029", "0102030405060708") + "9000"
        let replay = try replay(Self.ask + "host 51 no\n80AE0000* < \(last)")
        #expect(replay.value(0x9F27) == "00")
        #expect(replay.value(0x9F26) == "0102030405060708")
        #expect(replay.kernel.onlineValue(of: 0x9F26) == bytes("7CB3BA090724C524"))
    }

    @Test(
        "when nobody could be asked the card is ended with Z3 and an AAC",
        arguments: [KernelCard.cryptogram("00") + "9000", KernelCard.cryptogram("40") + "9000", "6985", "0000"])
    func unable(answer: String) throws {
        let replay = try replay(Self.ask + "host unable\n\(Self.second("00", code: "5A33")) < \(answer)")
        #expect(replay.outcome == .declinedUnableToGoOnline)
    }

    @Test("a response code of more than two characters does not spoil CDOL2")
    func longCode() throws {
        let text = Self.ask + "host 00XYZ yes\n\(Self.second("40", code: "3030")) < \(Self.tc)"
        #expect(try replay(text).outcome == .approved)
    }

    @Test("a kernel that is called out of turn says so and does nothing")
    func misuse() throws {
        var kernel = ContactKernel(terminal: Replay.terminal(), transaction: try Replay.transaction())
        let fault = CardFault(stage: .selection, reason: "the kernel was called out of turn")
        func isMisuse(_ step: KernelStep) -> Bool {
            if case .finished(.cardError(fault)) = step { true } else { false }
        }
        #expect(isMisuse(kernel.receive(ResponseAPDU(status: .success))))
        #expect(isMisuse(kernel.hostAnswered(.unableToGoOnline)))
        _ = kernel.start()
        #expect(isMisuse(kernel.start()))
        #expect(isMisuse(kernel.hostAnswered(.unableToGoOnline)))
    }
}
