import BERTLV
import EMV
import Testing

/// EMV Book 3, 10.11: what the second cryptogram makes of the host's answer.
@Suite struct CompletionTests {
    private static let tc = KernelCard.cryptogram("40") + "9000"
    private static let aac = KernelCard.cryptogram("00") + "9000"
    private static let arqc = KernelCard.arqc + "9000"

    @Test(
        "host, what is asked for, what the card answers",
        arguments: [
            ("host 00 yes", "40", tc, KernelOutcome.approved), ("host 00 yes", "40", aac, .declinedByCardAfterApproval),
            ("host 00 yes", "40", arqc, .declinedByCardAfterApproval),
            ("host 00 yes", "40", "6985", .declinedByCardAfterApproval),
            ("host 00 yes", "40", "0000", .declinedByCardAfterApproval),
            ("host 10 yes", "40", tc, .approved), ("host 51 no", "00", aac, .declinedByIssuer),
            ("host 51 no", "00", tc, .declinedByIssuer), ("host 51 no", "00", arqc, .declinedByIssuer),
            ("host 51 no", "00", "6F00", .declinedByIssuer), ("host 51 no", "00", "0000", .declinedByIssuer),
            ("host unable", "00", aac, .declinedUnableToGoOnline), ("host unable", "00", tc, .declinedUnableToGoOnline),
            ("host unable", "00", arqc, .declinedUnableToGoOnline),
            ("host unable", "00", "6985", .declinedUnableToGoOnline),
            ("host unable", "00", "0000", .declinedUnableToGoOnline),
        ] as [(String, String, String, KernelOutcome)])
    func outcome(host: String, asked: String, answer: String, outcome: KernelOutcome) throws {
        let text = KernelCard().reading + "80AE80* < \(KernelCard.arqc)9000\n\(host)\n80AE\(asked)* < \(answer)"
        let replay = try replay(text)
        #expect(replay.outcome == outcome)
        #expect(replay.kernel.hasAuthorisationRequestCryptogram)
        #expect(replay.kernel.onlineValue(of: 0x9F27) == [0x80])
    }

    @Test(
        "a refused EXTERNAL AUTHENTICATE is told to the card, and the host's verdict stays",
        arguments: [
            ("host 00 yes", "40", "40", KernelOutcome.approved),
            ("host 00 yes", "40", "00", .declinedByCardAfterApproval),
            ("host 05 no", "00", "00", .declinedByIssuer),
        ] as [(String, String, String, KernelOutcome)])
    func issuerNotAuthenticated(host: String, asked: String, given: String, outcome: KernelOutcome) throws {
        let authentication = "11223344556677883035"
        let code = host.contains("00") ? "3030" : "3035"
        let second = KernelCard.second(
            asked, code: code, authentication: authentication, tvr: "8000008040", tsi: "7800")
        let text =
            KernelCard().reading + """
                80AE80* < \(KernelCard.arqc)9000
                \(host) \(tlv("91", authentication))
                008200000A\(authentication) < 6300
                \(second) < \(KernelCard.cryptogram(given))9000
                """
        let replay = try replay(text)
        #expect(replay.outcome == outcome)
        #expect(replay.value(0x95) == "8000008040")
        #expect(replay.value(0x9B) == "7800")
    }

    @Test("EXTERNAL AUTHENTICATE is sent once, with the data as they came", arguments: [8, 10, 16])
    func authenticatedOnce(length: Int) throws {
        let data = String(repeating: "C3", count: length)
        let text =
            KernelCard().reading + """
                80AE80* < \(KernelCard.arqc)9000
                host 00 yes \(tlv("91", data))\(tlv("91", "1111111111111111"))
                00820000\(hex([UInt8(length)]))\(data) < 9000
                80AE40* < \(Self.tc)
                """
        #expect(try replay(text).outcome == .approved)
    }
}
