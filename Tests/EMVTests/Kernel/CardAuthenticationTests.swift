import BERTLV
import EMV
import FirmwareCores
import Testing

/// Offline data authentication through the whole kernel (EMV Book 3, 10.3; Book 2, 5 and 6), against the simulated cards.
/// The kiosk goes online with everything, so a failure shows in TVR and TSI and stops nothing.
@Suite struct CardAuthenticationTests {
    private static func dialogue(
        _ card: String, methods: UInt8 = 0xC8, change: CardDialogue.Change = CardDialogue.nothing
    ) throws -> CardDialogue {
        try CardDialogue(
            try .simulated(card), terminal: try CardDialogue.terminal(methods: methods), change: change)
    }

    /// TVR as it was sent with the first GENERATE AC, and at the end; TSI at the end.
    private static func check(
        _ dialogue: CardDialogue, _ outcome: KernelOutcome = .approved, first: String, last: String? = nil,
        tsi: String = "E800", sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(dialogue.outcome == outcome, sourceLocation: sourceLocation)
        #expect(dialogue.kernel.onlineValue(of: 0x95).map(hex) == first, sourceLocation: sourceLocation)
        #expect(dialogue.value(0x95) == last ?? first, sourceLocation: sourceLocation)
        #expect(dialogue.value(0x9B) == tsi, sourceLocation: sourceLocation)
    }

    @Test(
        "a good card leaves nothing behind but that it was authenticated",
        arguments: [
            ("visa-sda", 0xC8, "0200008000"), ("visa-dda", 0x80, "0200008000"), ("visa-dda", 0xC8, "0000008000"),
            ("visa-dda-1984", 0xC8, "0000008000"), ("mastercard-cda", 0xC0, "0000008000"),
            ("mastercard-cda", 0xC8, "0000008000"),
        ] as [(String, UInt8, String)])
    func good(card: String, methods: UInt8, tvr: String) throws {
        Self.check(try Self.dialogue(card, methods: methods), first: tvr)
    }

    @Test("without a method in common nothing is performed", arguments: [("visa-sda", 0x40), ("visa-credit", 0xC8)])
    func nothingInCommon(card: String, methods: UInt8) throws {
        let dialogue = try Self.dialogue(card, methods: methods)
        #expect(dialogue.value(0x9B) == "6800")
        #expect(dialogue.value(0x95)?.hasPrefix("80") == true)
        #expect(dialogue.outcome == .approved)
    }

    @Test("SDA with one bit changed", arguments: [0x90, 0x92, 0x93, 0x9F32, 0x9F07, 0x8E] as [BERTLV.Tag])
    func changedStatic(tag: BERTLV.Tag) throws {
        let dialogue = try Self.dialogue("visa-sda", change: CardDialogue.oneBit(of: tag))
        #expect(dialogue.value(0x95)?.hasPrefix("42") == true)
        #expect(dialogue.value(0x9B) == "E800")
        #expect(dialogue.outcome == .approved)
        #expect(dialogue.value(0x9F45) == nil)
    }

    @Test("SDA without one of its objects", arguments: [0x8F, 0x90, 0x92, 0x93, 0x9F32] as [BERTLV.Tag])
    func missingStatic(tag: BERTLV.Tag) throws {
        Self.check(
            try Self.dialogue("visa-sda", change: CardDialogue.without(tag)), first: "6200008000")
    }

    @Test(
        "DDA with one bit changed; a certificate that fails saves the card the signature",
        arguments: [
            (0x90, false), (0x92, false), (0x9F46, false), (0x9F48, false), (0x9F32, false), (0x9F47, false),
            (0x5F28, false), (0x80, true),
        ] as [(BERTLV.Tag, Bool)])
    func changedDynamic(tag: BERTLV.Tag, isAsked: Bool) throws {
        // Tag 80 is the answer to GET PROCESSING OPTIONS first, to INTERNAL AUTHENTICATE then.
        let change = CardDialogue.oneBit(of: tag, occurrence: tag == 0x80 ? 2 : 1)
        let dialogue = try Self.dialogue("visa-dda", change: change)
        Self.check(dialogue, first: "0800008000")
        #expect(dialogue.commands("88").count == (isAsked ? 1 : 0))
        #expect(dialogue.value(0x9F4C) == nil)
    }

    @Test(
        "DDA without one of its objects", arguments: [0x8F, 0x90, 0x92, 0x9F32, 0x9F46, 0x9F47, 0x9F48] as [BERTLV.Tag])
    func missingDynamic(tag: BERTLV.Tag) throws {
        Self.check(
            try Self.dialogue("visa-dda", change: CardDialogue.without(tag)), first: "2800008000")
    }

    @Test("a card that refuses INTERNAL AUTHENTICATE", arguments: ["6985", "6D00", "9000", "7700 9000"])
    func refusedDynamic(answer: String) throws {
        let response = try #require(ResponseAPDU(bytes: bytes(answer)))
        let dialogue = try Self.dialogue("visa-dda") { command, answer in
            if command.ins == 0x88 { answer = response }
        }
        Self.check(dialogue, first: "0800008000")
    }

    @Test("a scheme whose key the terminal does not have")
    func unknownAuthority() throws {
        for (card, tvr) in [("visa-sda", "4200008000"), ("visa-dda", "0800008000"), ("mastercard-cda", "0400008000")] {
            var terminal = try CardDialogue.terminal()
            terminal.certificationAuthorityKeys = CertificationAuthorityKeyStore()
            Self.check(try CardDialogue(try .simulated(card), terminal: terminal), first: tvr)
        }
    }

    @Test("CDA: both cryptograms are asked for with a signature, and taken from it")
    func combined() throws {
        let dialogue = try Self.dialogue("mastercard-cda")
        Self.check(dialogue, first: "0000008000")
        #expect(dialogue.commands("AE").map { $0.prefix(8) } == ["80AE9000", "80AE5000"])
        #expect(dialogue.commands("88").isEmpty)
        #expect(dialogue.kernel.onlineValue(of: 0x9F26)?.count == 8)
        #expect(dialogue.kernel.onlineValue(of: 0x9F27) == [0x80])
        #expect(dialogue.value(0x9F27) == "40")
        #expect(dialogue.value(0x9F4C)?.count == 16)
        // The last object of CDOL2 is the number that was signed with the first cryptogram.
        let number = try #require(dialogue.value(0x9F4C))
        #expect(dialogue.commands("AE").last?.hasSuffix(number + "00") == true)
    }

    @Test(
        "CDA keys that cannot be trusted: known before the action analysis, and no signature is asked for",
        arguments: [0x90, 0x92, 0x9F46, 0x9F48, 0x9F47, 0x9F08] as [BERTLV.Tag])
    func changedCombinedKey(tag: BERTLV.Tag) throws {
        let dialogue = try Self.dialogue("mastercard-cda", change: CardDialogue.oneBit(of: tag))
        #expect(dialogue.value(0x95) == (tag == 0x9F08 ? "0480008000" : "0400008000"))
        #expect(dialogue.value(0x9B) == "E800")
        #expect(dialogue.commands("AE").map { $0.prefix(8) } == ["80AE8000", "80AE4000"])
        #expect(dialogue.wentOnline)
        #expect(dialogue.outcome == .approved)
    }

    @Test("CDA without the card's certificate")
    func missingCombined() throws {
        Self.check(
            try Self.dialogue("mastercard-cda", change: CardDialogue.without(0x9F46)), first: "2400008000")
    }

    private static func forged(
        _ dialogue: CardDialogue, first: String, last: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        check(
            dialogue, .declinedOffline(.cardOrTerminalDecision), first: first, last: last,
            sourceLocation: sourceLocation)
        #expect(!dialogue.wentOnline, sourceLocation: sourceLocation)
        #expect(!dialogue.kernel.hasAuthorisationRequestCryptogram, sourceLocation: sourceLocation)
        #expect(dialogue.value(0x8A) == "5A31", sourceLocation: sourceLocation)
        // 91, 8A, TVR, number, and no dynamic number: none was found.
        let second = "80AE00001D" + String(repeating: "0", count: 20) + "5A31" + last + "7FBC4049" + "0000000000000000"
        #expect(dialogue.commands("AE").last == second + "00", sourceLocation: sourceLocation)
        #expect(dialogue.commands("AE").count == 2, sourceLocation: sourceLocation)
    }

    @Test(
        "an ARQC whose signature fails is not shown to the issuer: the card is ended with an AAC and Z1",
        arguments: [0x9F4B, 0x9F36, 0x9F10] as [BERTLV.Tag])
    func forgedRequest(tag: BERTLV.Tag) throws {
        let dialogue = try Self.dialogue("mastercard-cda", change: CardDialogue.oneBit(of: tag))
        try Self.forged(dialogue, first: "0000008000", last: "0400008000")
    }

    @Test("a card that signs another transaction")
    func forgedTransaction() throws {
        try Self.forged(try Self.dialogue("mastercard-cda-bad-hash"), first: "0000008000", last: "0400008000")
    }

    @Test("a cryptogram without the signature that was asked for")
    func unsignedRequest() throws {
        for answer in [KernelCard.arqc, tlv("80", "800042", "7CB3BA090724C524")] {
            let response = ResponseAPDU(data: bytes(answer), status: .success)
            var isFirst = true
            let dialogue = try Self.dialogue("mastercard-cda") { command, answer in
                guard command.ins == 0xAE, isFirst else { return }
                isFirst = false
                answer = response
            }
            try Self.forged(dialogue, first: "0000008000", last: "0400008000")
        }
    }

    @Test(
        "after a forged ARQC it is the terminal that declined, however the card ends",
        arguments: ["6985", "9000", "0000"])
    func forgedRequestAndFault(answer: String) throws {
        let response = try #require(ResponseAPDU(bytes: bytes(answer)))
        let dialogue = try Self.dialogue("mastercard-cda-bad-hash") { command, answer in
            if command.ins == 0xAE, command.p1 == 0x00 { answer = response }
        }
        #expect(dialogue.outcome == .declinedOffline(.cardOrTerminalDecision))
        #expect(!dialogue.wentOnline)
    }

    @Test("an AAC comes unsigned and needs no signature")
    func unsignedRefusal() throws {
        let response = ResponseAPDU(data: bytes(KernelCard.cryptogram("00")), status: .success)
        let dialogue = try Self.dialogue("mastercard-cda") { command, answer in
            if command.ins == 0xAE { answer = response }
        }
        #expect(dialogue.outcome == .declinedOffline(.cardOrTerminalDecision))
        #expect(dialogue.value(0x8A) == "5A31")
        // CDA has not failed.
        #expect(dialogue.value(0x95)?.dropFirst().first == "0")
    }

    @Test(
        "a final TC whose signature fails is the card's refusal", arguments: [0x9F4B, 0x9F36, 0x9F10] as [BERTLV.Tag])
    func forgedCertificate(tag: BERTLV.Tag) throws {
        let dialogue = try Self.dialogue("mastercard-cda", change: CardDialogue.oneBit(of: tag, occurrence: 2))
        Self.check(dialogue, .declinedByCardAfterApproval, first: "0000008000", last: "0400008000")
        #expect(dialogue.wentOnline)
        #expect(dialogue.commands("AE").map { $0.prefix(8) } == ["80AE9000", "80AE5000"])
    }

    @Test("a decline asks for an AAC without a signature")
    func combinedDecline() throws {
        let dialogue = try CardDialogue(
            try .simulated("mastercard-cda"), terminal: try CardDialogue.terminal(),
            host: .answered(responseCode: Array("05".utf8), isApproved: false, issuerData: []))
        Self.check(dialogue, .declinedByIssuer, first: "0000008000")
        #expect(dialogue.commands("AE").map { $0.prefix(8) } == ["80AE9000", "80AE0000"])
    }

    @Test("an offline approval under CDA: signed, Y1")
    func approvedOffline() throws {
        let dialogue = try CardDialogue(
            try .approvingOffline(like: "mastercard-cda"), terminal: try CardDialogue.offlineTerminal())
        Self.check(dialogue, .approvedOffline(afterFailedAttempt: false), first: "0000000000")
        #expect(dialogue.commands("AE").map { $0.prefix(8) } == ["80AE5000"])
        #expect(dialogue.value(0x8A) == "5931")
        #expect(dialogue.value(0x9F26)?.count == 16)
    }

    @Test(
        "an offline TC whose signature fails is a decline, Z1",
        arguments: [0x9F4B, 0x9F36, 0x9F10] as [BERTLV.Tag])
    func forgedOfflineCertificate(tag: BERTLV.Tag) throws {
        let dialogue = try CardDialogue(
            try .approvingOffline(like: "mastercard-cda"), terminal: try CardDialogue.offlineTerminal(),
            change: CardDialogue.oneBit(of: tag))
        Self.check(
            dialogue, .declinedOffline(.cardOrTerminalDecision), first: "0000000000", last: "0400000000")
        #expect(dialogue.value(0x8A) == "5A31")
        #expect(dialogue.commands("AE").count == 1)
    }

    @Test("an offline approval after DDA; a failed one goes online instead", arguments: [false, true])
    func approvedOfflineAfterDynamic(isChanged: Bool) throws {
        let change = isChanged ? CardDialogue.oneBit(of: 0x9F46) : CardDialogue.nothing
        let dialogue = try CardDialogue(
            try .approvingOffline(like: "visa-dda"), terminal: try CardDialogue.offlineTerminal(), change: change)
        if isChanged {
            Self.check(dialogue, first: "0800000000")
            #expect(dialogue.wentOnline)
        } else {
            Self.check(dialogue, .approvedOffline(afterFailedAttempt: false), first: "0000000000")
            #expect(!dialogue.wentOnline)
        }
    }

    @Test("nobody answers after a signed ARQC: the card is ended with an AAC, unsigned")
    func unableUnderCombined() throws {
        var terminal = try CardDialogue.offlineTerminal()
        for index in terminal.applications.indices {
            terminal.applications[index].actionCodeOnline = bytes("0000000800")
        }
        var transaction = try AuthenticatedCard.transaction()
        transaction.isForcedOnline = true
        let chip = try EMVCardCore.approvingOffline(like: "mastercard-cda")
        let dialogue = try CardDialogue(chip, terminal: terminal, transaction: transaction, host: .unableToGoOnline)
        // The card of this profile would say TC; asked for an ARQC it gives that.
        #expect(dialogue.commands("AE").first?.hasPrefix("80AE90") == true)
        #expect(dialogue.wentOnline)
        // IAC-Default FC50808800 holds "merchant forced online", so the card is ended.
        #expect(dialogue.commands("AE").last?.hasPrefix("80AE00") == true)
        #expect(dialogue.outcome == .declinedUnableToGoOnline)
        #expect(dialogue.value(0x8A) == "5A33")
    }
}
