import BERTLV
import EMV
import FirmwareCores
import Testing

/// EMV Book 4, 6.3.2.1, and Book 2, 6.6: for which cryptograms a CDA signature is asked, and what the TVR says where none
/// comes. The whole kernel against the simulated card that signs.
@Suite struct CombinedDataModeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let mode: CombinedDataRequestMode
        /// P1 of both GENERATE AC; 10 asks for a signature.
        let asked: [String]
        /// TVR byte 1 with the first cryptogram, and at the end.
        let first: String
        let last: String
        /// TSI byte 1 at the end: 80 = offline data authentication was performed.
        let tsi: String

        var testDescription: String { "mode \(mode.rawValue)" }
    }

    private static func dialogue(
        _ mode: CombinedDataRequestMode, host: HostAnswer = CardDialogue.approval, isOffline: Bool = false,
        change: CardDialogue.Change = CardDialogue.nothing
    ) throws -> CardDialogue {
        var terminal = try isOffline ? CardDialogue.offlineTerminal() : CardDialogue.terminal()
        terminal.combinedDataRequestMode = mode
        let chip =
            try isOffline ? EMVCardCore.approvingOffline(like: "mastercard-cda") : .simulated("mastercard-cda")
        return try CardDialogue(chip, terminal: terminal, host: host, change: change)
    }

    private static func check(
        _ dialogue: CardDialogue, _ outcome: KernelOutcome, _ row: Row,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(dialogue.outcome == outcome, sourceLocation: sourceLocation)
        #expect(
            dialogue.commands("AE").map { String($0.dropFirst(4).prefix(2)) } == row.asked,
            sourceLocation: sourceLocation)
        #expect(
            dialogue.kernel.onlineValue(of: 0x95).map { hex([$0[0]]) } == row.first, sourceLocation: sourceLocation)
        #expect(dialogue.value(0x95)?.prefix(2) == Substring(row.last), sourceLocation: sourceLocation)
        #expect(dialogue.value(0x9B)?.prefix(2) == Substring(row.tsi), sourceLocation: sourceLocation)
    }

    static let approvals = [
        Row(mode: .onlineAndFinal, asked: ["90", "50"], first: "00", last: "00", tsi: "E8"),
        Row(mode: .online, asked: ["90", "40"], first: "00", last: "00", tsi: "E8"),
        Row(mode: .neither, asked: ["80", "40"], first: "80", last: "80", tsi: "68"),
        Row(mode: .final, asked: ["80", "50"], first: "00", last: "00", tsi: "E8"),
    ]

    @Test("ARQC, approved: each mode asks for its own signatures", arguments: approvals)
    func approved(row: Row) throws {
        let dialogue = try Self.dialogue(row.mode)
        Self.check(dialogue, .approved, row)
        #expect(dialogue.wentOnline)
        #expect(dialogue.kernel.onlineValue(of: 0x9F26)?.count == 8)
        #expect(dialogue.value(0x9F27) == "40")
        // What the card was told with the second command is what stood in the TVR by then.
        #expect(dialogue.commands("AE").last?.contains("3030" + row.first + "00008000") == true)
    }

    static let declines = [
        Row(mode: .onlineAndFinal, asked: ["90", "00"], first: "00", last: "00", tsi: "E8"),
        Row(mode: .online, asked: ["90", "00"], first: "00", last: "00", tsi: "E8"),
        Row(mode: .neither, asked: ["80", "00"], first: "80", last: "80", tsi: "68"),
        // No signature came, and with the decline it is certain that none will.
        Row(mode: .final, asked: ["80", "00"], first: "00", last: "80", tsi: "68"),
    ]

    @Test("ARQC, declined: the AAC carries no signature", arguments: declines)
    func declined(row: Row) throws {
        let host = HostAnswer.answered(responseCode: Array("05".utf8), isApproved: false, issuerData: [])
        let dialogue = try Self.dialogue(row.mode, host: host)
        Self.check(dialogue, .declinedByIssuer, row)
        #expect(dialogue.commands("AE").last?.contains("3035" + row.last + "00008000") == true)
    }

    @Test("a TC that is asked for first is signed in every mode", arguments: CombinedDataRequestMode.allCases)
    func offline(mode: CombinedDataRequestMode) throws {
        let dialogue = try Self.dialogue(mode, isOffline: true)
        let row = Row(mode: mode, asked: ["50"], first: "00", last: "00", tsi: "E8")
        Self.check(dialogue, .approvedOffline(afterFailedAttempt: false), row)
    }

    @Test(
        "a forged signature counts only where one was asked for",
        arguments: [
            (.onlineAndFinal, false), (.online, false), (.neither, true), (.final, true),
        ] as [(CombinedDataRequestMode, Bool)])
    func forged(mode: CombinedDataRequestMode, goesOnline: Bool) throws {
        // One bit of the issuer application data of the first answer.
        let dialogue = try Self.dialogue(mode, change: CardDialogue.oneBit(of: 0x9F10))
        #expect(dialogue.wentOnline == goesOnline)
        #expect(dialogue.outcome == (goesOnline ? .approved : .declinedOffline(.cardOrTerminalDecision)))
    }

    @Test(
        "a final TC with a forged signature counts only where one was asked for",
        arguments: [
            (.onlineAndFinal, false), (.online, true), (.neither, true), (.final, false),
        ] as [(CombinedDataRequestMode, Bool)])
    func forgedFinal(mode: CombinedDataRequestMode, isApproved: Bool) throws {
        let dialogue = try Self.dialogue(mode, change: CardDialogue.oneBit(of: 0x9F10, occurrence: 2))
        #expect(dialogue.outcome == (isApproved ? .approved : .declinedByCardAfterApproval))
        #expect(dialogue.value(0x95)?.prefix(2) == (isApproved ? (mode == .neither ? "80" : "00") : "04"))
    }

    @Test("a signature that was not asked for is no cryptogram", arguments: [CombinedDataRequestMode.neither, .final])
    func unasked(mode: CombinedDataRequestMode) throws {
        let signed = tlv("77", tlv("9F27", "80"), tlv("9F36", "0029"), tlv("9F4B", "0102"))
        var isFirst = true
        let dialogue = try Self.dialogue(mode) { command, answer in
            guard command.ins == 0xAE, isFirst else { return }
            isFirst = false
            answer = ResponseAPDU(data: bytes(signed), status: .success)
        }
        #expect(!dialogue.wentOnline)
        #expect(dialogue.outcome == .declinedOffline(.cardOrTerminalDecision))
    }

    @Test("an AAC, asked for or given, leaves CDA not performed: TVR byte 1 bit 8, and no TSI bit")
    func refusal() throws {
        var terminal = try CardDialogue.terminal()
        for index in terminal.applications.indices {
            terminal.applications[index].actionCodeDenial = bytes("0000008000")
        }
        let asked = try CardDialogue(.simulated("mastercard-cda"), terminal: terminal)
        let row = Row(mode: .onlineAndFinal, asked: ["00"], first: "80", last: "80", tsi: "68")
        Self.check(asked, .declinedOffline(.cardOrTerminalDecision), row)
        // The card is told with the request itself: 95 follows 9F02, 9F03 and 9F1A in CDOL1.
        let told = "000000011500" + "000000000000" + "0484" + "8000008000"
        #expect(asked.commands("AE").first?.dropFirst(10).hasPrefix(told) == true)

        let answer = ResponseAPDU(data: bytes(KernelCard.cryptogram("00")), status: .success)
        let given = try CardDialogue(.simulated("mastercard-cda"), terminal: CardDialogue.terminal()) {
            if $0.ins == 0xAE { $1 = answer }
        }
        let other = Row(mode: .onlineAndFinal, asked: ["90"], first: "00", last: "80", tsi: "68")
        Self.check(given, .declinedOffline(.cardOrTerminalDecision), other)
    }

    @Test("keys that cannot be trusted are a failure, not an omission, also with an AAC")
    func failedThenRefused() throws {
        var terminal = try CardDialogue.terminal()
        for index in terminal.applications.indices {
            terminal.applications[index].actionCodeDenial = bytes("0400000000")
        }
        let dialogue = try CardDialogue(
            .simulated("mastercard-cda"), terminal: terminal, change: CardDialogue.oneBit(of: 0x9F46))
        let row = Row(mode: .onlineAndFinal, asked: ["00"], first: "04", last: "04", tsi: "E8")
        Self.check(dialogue, .declinedOffline(.cardOrTerminalDecision), row)
    }

    @Test("without an issuer a TC is signed in every mode", arguments: CombinedDataRequestMode.allCases)
    func unableToGoOnline(mode: CombinedDataRequestMode) throws {
        var terminal = try CardDialogue.offlineTerminal()
        terminal.combinedDataRequestMode = mode
        for index in terminal.applications.indices {
            terminal.applications[index].actionCodeOnline = bytes("0000000000")
            terminal.applications[index].actionCodeDefault = bytes("0000000000")
        }
        // Asked for a TC the card wants the issuer, whom nobody can reach.
        let dialogue = try CardDialogue(.simulated("mastercard-cda"), terminal: terminal, host: .unableToGoOnline)
        let row = Row(mode: mode, asked: ["50", "50"], first: "00", last: "00", tsi: "E8")
        Self.check(dialogue, .declinedUnableToGoOnline, row)
        #expect(dialogue.value(0x8A) == "5A33")
    }
}
