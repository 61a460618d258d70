import BERTLV
import EMV
import Testing

/// EMV Book 3, 10.7: what the kernel asks for, and what follows from the card's answer. The TVR is 8000000000: below the
/// floor limit, and not authenticated.
@Suite struct ActionAnalysisTests {
    private static let hit = "8000000000"
    private static let miss = "7FFFFFFFFF"
    private static let zero = "0000000000"

    struct Codes: Sendable {
        var denial: String? = ActionAnalysisTests.zero
        var online: String? = ActionAnalysisTests.zero
        var `default`: String? = ActionAnalysisTests.zero
    }

    private static func dialogue(
        _ type: TerminalType, issuer: Codes, terminal codes: Codes = Codes()
    ) -> (card: KernelCard, terminal: TerminalConfiguration) {
        var card = KernelCard()
        card.objects["9F0E"] = issuer.denial
        card.objects["9F0F"] = issuer.online
        card.objects["9F0D"] = issuer.default
        var entry = TerminalApplication.visa
        entry.floorLimit = 100_000
        entry.actionCodeDenial = bytes(codes.denial ?? zero)
        entry.actionCodeOnline = bytes(codes.online ?? zero)
        entry.actionCodeDefault = bytes(codes.default ?? zero)
        var terminal = Replay.terminal([entry])
        terminal.terminalType = type
        return (card, terminal)
    }

    private static let both = TerminalType.unattendedOfflineWithOnline
    private static let onlineOnly = TerminalType.unattendedOnlineOnly
    private static let offlineOnly = TerminalType.unattendedOfflineOnly

    struct Row: Sendable, CustomTestStringConvertible {
        let type: TerminalType
        var issuer = Codes()
        var terminal = Codes()
        /// P1: 00 AAC, 40 TC, 80 ARQC.
        let asked: String

        var testDescription: String { "\(hex([type.code])) \(issuer) \(terminal): \(asked)" }
    }

    static let rows: [Row] = [
        Row(type: both, issuer: Codes(denial: hit), asked: "00"),
        Row(type: both, terminal: Codes(denial: hit), asked: "00"),
        Row(type: both, issuer: Codes(denial: hit, online: hit, default: hit), asked: "00"),
        Row(type: both, issuer: Codes(denial: miss), terminal: Codes(denial: miss), asked: "40"),
        Row(type: both, issuer: Codes(online: hit), asked: "80"),
        Row(type: both, terminal: Codes(online: hit), asked: "80"),
        Row(type: both, issuer: Codes(online: miss), terminal: Codes(online: miss), asked: "40"),
        Row(type: both, issuer: Codes(default: hit), terminal: Codes(default: hit), asked: "40"),
        // A missing denial code denies nothing; a missing online code sends every finding to the issuer.
        Row(type: both, issuer: Codes(denial: nil), asked: "40"),
        Row(type: both, issuer: Codes(online: nil), asked: "80"),
        Row(type: both, issuer: Codes(denial: nil, online: nil, default: nil), asked: "80"),
        // A code of the wrong length is none.
        Row(type: both, issuer: Codes(online: "00000000"), asked: "80"),
        Row(type: both, issuer: Codes(denial: "800000000000"), asked: "40"),
        Row(type: onlineOnly, issuer: Codes(denial: hit), asked: "00"),
        Row(type: onlineOnly, terminal: Codes(denial: hit), asked: "00"),
        Row(type: onlineOnly, asked: "80"),
        Row(type: onlineOnly, issuer: Codes(online: miss, default: hit), asked: "80"),
        Row(type: offlineOnly, issuer: Codes(denial: hit), asked: "00"),
        Row(type: offlineOnly, terminal: Codes(denial: hit), asked: "00"),
        Row(type: offlineOnly, issuer: Codes(default: hit), asked: "00"),
        Row(type: offlineOnly, terminal: Codes(default: hit), asked: "00"),
        Row(type: offlineOnly, issuer: Codes(default: nil), asked: "00"),
        Row(type: offlineOnly, issuer: Codes(default: miss), terminal: Codes(default: miss), asked: "40"),
        Row(type: offlineOnly, issuer: Codes(online: hit), terminal: Codes(online: hit), asked: "40"),
    ]

    @Test("each row of the analysis; an AAC is a decline whatever was asked", arguments: rows)
    func asked(row: Row) throws {
        let (card, terminal) = Self.dialogue(row.type, issuer: row.issuer, terminal: row.terminal)
        let replay = try replay(
            card.reading + "80AE\(row.asked)* < \(KernelCard.cryptogram("00"))9000", terminal: terminal)
        #expect(replay.outcome == .declinedOffline(.cardOrTerminalDecision))
        #expect(replay.value(0x8A) == "5A31")
        #expect(replay.value(0x95) == "8000000000")
        #expect(replay.value(0x9B) == "6800")
        #expect(!replay.kernel.hasAuthorisationRequestCryptogram)
    }

    @Test("asked for a TC the card gives one: approved without the issuer", arguments: [both, offlineOnly])
    func approvedOffline(type: TerminalType) throws {
        let (card, terminal) = Self.dialogue(type, issuer: Codes())
        let replay = try replay(
            card.reading + "80AE40* < \(KernelCard.cryptogram("40"))9000", terminal: terminal)
        #expect(replay.outcome == .approvedOffline(afterFailedAttempt: false))
        #expect(replay.value(0x8A) == "5931")
        #expect(replay.value(0x9F27) == "40")
        #expect(replay.kernel.onlineValue(of: 0x9F27) == [0x40])
    }

    @Test("asked for a TC the card may want the issuer, who decides", arguments: [("00", "yes"), ("05", "no")])
    func wantsIssuer(code: String, verdict: String) throws {
        let (card, terminal) = Self.dialogue(Self.both, issuer: Codes())
        let type = verdict == "yes" ? "40" : "00"
        let text =
            card.reading + """
                80AE40* < \(KernelCard.arqc)9000
                host \(code) \(verdict)
                80AE\(type)* < \(KernelCard.cryptogram(type))9000
                """
        let replay = try replay(text, terminal: terminal)
        #expect(replay.outcome == (verdict == "yes" ? .approved : .declinedByIssuer))
        #expect(replay.value(0x8A) == hex(Array(code.utf8)))
    }

    @Test("asked for an AAC the card may give nothing else", arguments: ["40", "80"])
    func aboveRefusal(type: String) throws {
        let (card, terminal) = Self.dialogue(Self.both, issuer: Codes(denial: Self.hit))
        let replay = try replay(
            card.reading + "80AE00* < \(KernelCard.cryptogram(type))9000", terminal: terminal)
        let fault = CardFault(stage: .firstGenerateAC, reason: "the card answered above what was asked")
        #expect(replay.outcome == .cardError(fault))
    }

    struct Unable: Sendable, CustomTestStringConvertible {
        let type: TerminalType
        let issuer: Codes
        var terminal = Codes()
        let asked: String

        var testDescription: String { "\(hex([type.code])) \(issuer) \(terminal): \(asked)" }
    }

    static let unable: [Unable] = [
        Unable(type: both, issuer: Codes(online: hit, default: zero), asked: "40"),
        Unable(type: both, issuer: Codes(online: hit, default: miss), terminal: Codes(default: miss), asked: "40"),
        Unable(type: both, issuer: Codes(online: hit, default: hit), asked: "00"),
        Unable(type: both, issuer: Codes(online: hit), terminal: Codes(default: hit), asked: "00"),
        Unable(type: both, issuer: Codes(online: hit, default: nil), asked: "00"),
        Unable(type: onlineOnly, issuer: Codes(), asked: "00"),
    ]

    @Test("when nobody answers, the default codes decide between Y3 and Z3", arguments: unable)
    func unableToGoOnline(row: Unable) throws {
        let (card, terminal) = Self.dialogue(row.type, issuer: row.issuer, terminal: row.terminal)
        let isApproved = row.asked == "40"
        let second = KernelCard.second(
            row.asked, code: isApproved ? "5933" : "5A33", authentication: "00000000000000000000", tvr: "8000000000",
            tsi: "6800")
        let text =
            card.reading + """
                80AE80* < \(KernelCard.arqc)9000
                host unable
                \(second) < \(KernelCard.cryptogram(row.asked))9000
                """
        let replay = try replay(text, terminal: terminal)
        #expect(replay.outcome == (isApproved ? .approvedOffline(afterFailedAttempt: true) : .declinedUnableToGoOnline))
        #expect(replay.value(0x8A) == (isApproved ? "5933" : "5A33"))
    }

    @Test(
        "after Y3 a card that gives no TC has declined",
        arguments: [
            KernelCard.cryptogram("00") + "9000", KernelCard.arqc + "9000", "6985", "9000", "0000",
            KernelCard.cryptogram("40") + "6283",
        ])
    func refusedAfterFailedAttempt(answer: String) throws {
        let (card, terminal) = Self.dialogue(Self.both, issuer: Codes(online: Self.hit))
        let text = card.reading + "80AE80* < \(KernelCard.arqc)9000\nhost unable\n80AE40* < \(answer)"
        #expect(try replay(text, terminal: terminal).outcome == .declinedUnableToGoOnline)
    }

    @Test(
        "an offline-only terminal whose card wants the issuer asks nobody and decides by its default codes",
        arguments: [0x23, 0x26] as [UInt8])
    func offlineOnlyUnable(type: UInt8) throws {
        let terminalType = try #require(TerminalType(code: type))
        for code in [Self.zero, Self.miss] {
            let (card, terminal) = Self.dialogue(terminalType, issuer: Codes(default: code))
            let text =
                card.reading + """
                    80AE40* < \(KernelCard.arqc)9000
                    80AE40* < \(KernelCard.cryptogram("40"))9000
                    """
            let replay = try replay(text, terminal: terminal)
            #expect(replay.outcome == .approvedOffline(afterFailedAttempt: true))
            #expect(replay.value(0x8A) == "5933")
        }
    }

    @Test("an offline-only terminal whose card wants the issuer, and then declines", arguments: ["00", "80"])
    func offlineOnlyRefused(type: String) throws {
        let (card, terminal) = Self.dialogue(Self.offlineOnly, issuer: Codes())
        let text =
            card.reading + """
                80AE40* < \(KernelCard.arqc)9000
                80AE40* < \(KernelCard.cryptogram(type))9000
                """
        let replay = try replay(text, terminal: terminal)
        #expect(replay.outcome == .declinedUnableToGoOnline)
        #expect(replay.value(0x8A) == "5A33")
    }

    @Test("without CDA the request for a TC carries no signature bit, and a signed answer is no TC")
    func unsignedOnly() throws {
        let (card, terminal) = Self.dialogue(Self.both, issuer: Codes())
        let signed = tlv("77", tlv("9F27", "40"), tlv("9F36", "0029"), tlv("9F4B", "0102"))
        let replay = try replay(card.reading + "80AE40* < \(signed)9000", terminal: terminal)
        #expect(replay.outcome == .declinedOffline(.cardOrTerminalDecision))
        #expect(replay.value(0x8A) == "5A31")
    }
}
