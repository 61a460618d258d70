import BERTLV
import EMV
import Testing

/// EMV Book 3, 10.1 and 10.2.
@Suite struct ApplicationInitiationTests {
    static let options = "80A8000002830000"

    private static func fault(_ replay: Replay) -> CardFault? {
        guard case .cardError(let fault) = replay.outcome else { return nil }
        return fault
    }

    @Test(
        "both response formats give AIP and AFL, and records are read in the order of the AFL",
        arguments: ["800E7800080202001001040018010201", "770E8202390094081801020120020400"])
    func formats(answer: String) throws {
        let isFormat1 = answer.hasPrefix("80")
        let records =
            isFormat1
            ? ["02 0C", "01 14", "02 14", "03 14", "04 14", "01 1C", "02 1C"]
            : ["01 1C", "02 1C", "02 24", "03 24", "04 24"]
        let text =
            KernelCard.selection + "\(Self.options) < \(answer)9000\n"
            + records.map { "00B2\($0)00 < 70009000\n" }.joined()
        let replay = try replay(text)
        #expect(replay.value(0x82) == (isFormat1 ? "7800" : "3900"))
        #expect(Self.fault(replay) == CardFault(stage: .reading, reason: "mandatory object 5A is missing"))
    }

    @Test("objects that come along in format 2 are kept")
    func otherObjects() throws {
        let answer = tlv("77", tlv("9F36", "0029"), tlv("94", "08010100"), tlv("57", ""), tlv("82", "1C00"))
        let replay = try replay(KernelCard.selection + "\(Self.options) < \(answer)9000\n00B2010C00 < 6A83")
        #expect(replay.value(0x9F36) == "0029")
        #expect(replay.value(0x57) == nil)
    }

    @Test("the PDOL is filled with the terminal's data")
    func processingOptions() throws {
        let information = tlv("6F", tlv("84", "A0000000031010"), tlv("A5", tlv("9F38", "9F3303 9F1A02 9F0206 DF0102")))
        let text = """
            00A404000E315041592E5359532E444446303100 < 6A82
            00A4040007A000000003101000 < \(information)9000
            00A4040007A000000003101000 < \(information)9000
            80A800000F830D 6008C8 0484 000000011500 0000 00 < 6A80
            """
        let replay = try replay(text)
        #expect(
            Self.fault(replay) == CardFault(stage: .initiation, reason: "GET PROCESSING OPTIONS answered 6A80"))
    }

    @Test(
        "a PDOL that is cut off or asks for too much is a fault of the card",
        arguments: ["9F", "9F33", "9F02FE", "9F0280 9F037D"])
    func malformedList(list: String) throws {
        let information = tlv("6F", tlv("84", "A0000000031010"), tlv("A5", tlv("9F38", list)))
        let text = KernelCard.selection.replacing(KernelCard.information, with: information)
        #expect(Self.fault(try replay(text)) == CardFault(stage: .initiation, reason: "the PDOL is malformed"))
    }

    @Test("6985 drops the application and takes the next one, with a clean slate")
    func nextApplication() throws {
        let debit = KernelCard.information.replacing("A0000000031010", with: "A0000000032010")
        let card = KernelCard()
        let text = """
            00A404000E315041592E5359532E444446303100 < 6A82
            00A4040007A000000003101000 < \(KernelCard.information)9000
            00A4040007A000000003201000 < \(debit)9000
            00A4040007A000000003101000 < \(KernelCard.information)9000
            \(Self.options) < 6985
            00A4040007A000000003201000 < \(debit)9000
            \(Self.options) < \(tlv("80", card.profile, card.locator))9000
            00B2010C00 < \(card.record)9000
            \(KernelCard.first(tvr: "8000008000", cvm: "1F0002")) < \(KernelCard.cryptogram("00"))9000
            """
        let terminal = Replay.terminal([
            .visa, TerminalApplication(aid: bytes("A0000000032010"), versionNumber: [0x00, 0x8C]),
        ])
        let replay = try replay(text, terminal: terminal)
        #expect(replay.outcome == .declinedOffline(.cardOrTerminalDecision))
        #expect(replay.kernel.application?.aid == bytes("A0000000032010"))
    }

    @Test(
        "any other answer ends the transaction",
        arguments: [
            "9000", "8006 1C00 0801 0100 6283", "8004 1C00 0801 9000", "8005 1C00 080101 9000",
            "8007 1C00 080101 00 00 9000", "7706 8202 1C00 9400 9000", "7704 8202 1C00 9000",
            "7706 9404 08010100 9000", "7709 8201 1C 9404 08010100 9000", "770A 8202 1C00 9404 08010100 0000",
            "770A 8202 1C00 9404 080101 9000", "6F0A 8202 1C00 9404 08010100 9000",
            "8006 1C00 08010100 8006 1C00 08010100 9000", "770E 8202 1C00 9404 08010100 8202 1C00 9000",
            "7710 8202 1C00 9404 08010100 9404 08010100 9000", "7712 8202 1C00 9404 08010100 5F2801 01 5F2801 01 9000",
        ])
    func refused(answer: String) throws {
        let replay = try replay(KernelCard.selection + "\(Self.options) < \(answer)")
        #expect(Self.fault(replay)?.stage == .initiation)
    }

    @Test(
        "an AFL that breaks a rule is a fault of the card",
        arguments: [
            // Length; reserved bits; SFI 0 and 31; first record 0; last before first; too many authenticated records.
            "0801010008", "080101", "09010100", "0A010100", "0C010100", "00010100", "F8010100", "08000100", "08020100",
            "08010102", "08010203", "0801010008000100", "080101FF",
        ])
    func malformedLocator(locator: String) throws {
        let answer = tlv("77", tlv("82", "1C00"), tlv("94", locator))
        let replay = try replay(KernelCard.selection + "\(Self.options) < \(answer)9000")
        #expect(Self.fault(replay) == CardFault(stage: .initiation, reason: "the AFL is malformed"))
    }

    @Test(
        "the limits of the AFL are accepted",
        arguments: [("08010101", "00B2010C00"), ("F0FFFF01", "00B2FFF400"), ("08010202", "00B2010C00")])
    func locatorLimits(locator: String, command: String) throws {
        let answer = tlv("80", "1C00", locator)
        let replay = try replay(KernelCard.selection + "\(Self.options) < \(answer)9000\n\(command) < 6A83")
        #expect(Self.fault(replay)?.reason == "READ RECORD answered 6A83")
    }
}
