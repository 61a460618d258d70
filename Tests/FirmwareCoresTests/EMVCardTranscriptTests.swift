import FirmwareCores
import Testing

/// Whole transactions as command and answer. Cryptograms and ARPCs were computed with OpenSSL's DES-EDE by a separate
/// script from the rules of EMV Book 2 and the keys of the test authority.
struct EMVCardTranscriptTests {
    private static let visaTerminal =
        "000000011500 000000000000 0484 8000008000 0484 261130 00 01020304"

    private func card(_ name: String) throws -> EMVCardCore {
        let card = EMVCardCore(profile: try #require(CardProfile.named(name)))
        _ = try #require(card.powerOn())
        return card
    }

    private func play(_ card: EMVCardCore, _ transcript: [(command: String, answer: String)]) {
        for (index, step) in transcript.enumerated() {
            #expect(text(card.transmit(hex(step.command))) == joined(step.answer), "step \(index + 1)")
        }
    }

    @Test func visaCreditFromDirectoryToApproval() throws {
        let card = try card("visa-credit")
        play(
            card,
            [
                (
                    "00A404000E315041592E5359532E444446303100",
                    "6F1C 840E315041592E5359532E4444463031 A50A 880101 5F2D046573656E 9000"
                ),
                ("00B2010C00", "701B 6119 4F07A0000000031010 500B5649534120435245444954 870101 9000"),
                ("00B2020C00", "6A83"),
                (
                    "00A4040007A000000003101000",
                    "6F22 8407A0000000031010 A517 500B5649534120435245444954 870101 5F2D046573656E 9000"
                ),
                ("80A8000002830000", "800A 1C00 08010100 10010200 9000"),
                (
                    "00B2010C00",
                    "7029 57114761739001010119D30122011234500000 5F2013544553542043415244484F4C4445522F4F4E45 9000"
                ),
                (
                    "00B2011400",
                    "7033 5A084761739001010119 5F340101 5F2403301231 5F2503240101 5F28020484 5F30020201"
                        + " 9F42020484 9F0702FF80 9F08020096 9000"
                ),
                ("80CA9F3600", "9F36020002 9000"),
                ("80CA9F1700", "9F170103 9000"),
                ("80CA9F1300", "9F13020000 9000"),
                ("80CA9F4F00", "6A88"),
                (
                    "80AE80001D \(Self.visaTerminal) 00",
                    "8012 80 0002 26C75113543FA7F8 06010A03A00000 9000"
                ),
                ("008200000A D00B49B9F2B8C505 3030", "9000"),
                ("008200000A D00B49B9F2B8C505 3030", "6985"),
                (
                    "80AE40001F 3030 \(Self.visaTerminal) 00",
                    "8012 40 0002 7CA0BDCB55A3C142 06010A03600000 9000"
                ),
                ("80AE40001F 3030 \(Self.visaTerminal) 00", "6985"),
            ])
        let seen = try #require(card.log.first)
        #expect(card.log.count == 1)
        #expect(seen.firstValue("9F02") == "000000011500")
        #expect(seen.firstValue("5F2A") == "0484")
        #expect(seen.secondValue("8A") == "3030")
        #expect((seen.firstAsked, seen.firstAnswer) == (0x80, 0x80))
        #expect((seen.secondAsked, seen.secondAnswer) == (0x40, 0x40))
        #expect(seen.issuerAuthenticated == true)
    }

    @Test func mastercardDebitWithIssuerDataInTheSecondList() throws {
        let card = try card("mastercard-debit")
        play(
            card,
            [
                ("80A8000002830000", "6985"),
                (
                    "00A4040007A000000004101000",
                    "6F37 8407A0000000041010 A52C 50104445424954204D415354455243415244 870101 "
                        + "9F12094D432044E96269746F 9F110101 5F2D046573656E 9000"
                ),
                ("80A8000002830000", "770E 82021800 9408 08010100 10010200 9000"),
                (
                    "80AE80002B \(Self.visaTerminal) 25 0000 0000000000000000 3F0000 00",
                    "7729 9F270180 9F36020042 9F2608D914EC7C90995E60 "
                        + "9F10120110A00003000000 00000000000000000000 9000"
                ),
                ("008200000A D1B4B5742BD6AD10 0012", "6985"),
                (
                    "80AE40001D D1B4B5742BD6AD100012 3030 0000008000 01020304 0000000000000000 00",
                    "7729 9F270140 9F36020042 9F2608F9F64BD8DE81325A "
                        + "9F10120110601003000000 00000000000000000000 9000"
                ),
            ])
        #expect(card.log.first?.issuerAuthenticated == true)
    }

    @Test func visaVersion18WithOptionsData() throws {
        let card = try card("visa-cvn18")
        play(
            card,
            [
                (
                    "00A4040007A000000003101000",
                    "6F2E 8407A0000000031010 A523 500B5649534120435245444954 870101 "
                        + "9F38 09 9F33039F1A029F3501 5F2D046573656E 9000"
                ),
                ("80A8000002830000", "6700"),
                ("80A80000088306 6008C8 0484 25 00", "800A 1C00 08010100 10010200 9000"),
                ("80A80000088306 6008C8 0484 25 00", "6985"),
                (
                    "80AE80001D \(Self.visaTerminal) 00",
                    "8012 80 0002 E2215067ABBF8605 06011203A00000 9000"
                ),
                ("0082000008 1779A26A 00820000", "9000"),
            ])
        #expect(card.log.first?.processingOptions["9F33"] == hex("6008C8"))
    }

    @Test func wrongIssuerAnswerIsRefusedOnceAndForAll() throws {
        let card = try card("visa-credit")
        start(card)
        play(
            card,
            [
                ("0082000008 D00B49B9F2B8C505", "6700"),
                ("008200000A D00B49B9F2B8C506 3030", "6300"),
                ("008200000A D00B49B9F2B8C505 3030", "6985"),
            ])
        let answer = card.transmit(hex("80AE40001F 3030 \(Self.visaTerminal) 00"))
        #expect(text(answer.prefix(3)) == "801200")
        #expect(text(answer[13..<20]) == "06010A03280000")
        #expect(card.log.first?.issuerAuthenticated == false)
        #expect(card.log.first?.secondAnswer == 0x00)
    }

    @Test(arguments: [
        ("visa-credit", "40", "3030", 0x40), ("visa-credit", "40", "3035", 0x00), ("visa-credit", "00", "3030", 0x00),
        ("visa-credit", "40", "5933", 0x00), ("approves-offline", "40", "5933", 0x40),
        ("declines-second", "40", "3030", 0x00), ("visa-credit", "40", "3130", 0x40),
    ])
    func secondCryptogramFollowsTheIssuerAndTheProfile(
        name: String, asked: String, code: String, answer: UInt8
    ) throws {
        let card = try card(name)
        start(card)
        _ = card.transmit(hex("80AE\(asked)001F \(code) \(Self.visaTerminal) 00"))
        #expect(card.log.last?.secondAnswer == answer)
    }

    @Test(arguments: [
        ("visa-credit", "80", 0x80), ("visa-credit", "40", 0x80), ("visa-credit", "00", 0x00),
        ("declines-first", "80", 0x00), ("declines-first", "40", 0x00), ("approves-offline", "40", 0x40),
        ("approves-offline", "80", 0x80),
    ])
    func firstCryptogramFollowsTheProfile(name: String, asked: String, answer: UInt8) throws {
        let card = try card(name)
        start(card, asking: asked)
        #expect(card.log.last?.firstAnswer == answer)
    }

    @Test(arguments: [
        ("00", "6700"), ("00A40400", "6700"), ("00A4000007A000000003101000", "6A86"),
        ("00A4040C07A000000003101000", "6A86"), ("00A4040007A0000000031010", "6700"),
        ("00A4040007A0000000031099 00", "6A82"), ("00A4040004A0000000 00", "6700"),
        ("20B2010C00", "6E00"), ("00FF000000", "6D00"), ("80AE80001D00", "6700"), ("00B2011400", "6985"),
        ("00B2010000", "6A86"), ("00B201140000", "6700"), ("008400000000", "6700"), ("0020008008FF", "6700"),
        ("80AEC00000", "6A86"),
    ])
    func wrongCommandsAreNamedByStatusWord(command: String, status: String) throws {
        #expect(text(try card("visa-credit").transmit(hex(command))) == status)
    }

    @Test func recordsOutsideTheFileAreNotFound() throws {
        let card = try card("visa-credit")
        _ = card.transmit(hex("00A4040007A000000003101000"))
        play(card, [("00B2031400", "6A83"), ("00B2012400", "6A83")])
    }

    @Test func dataListLengthMustMatchExactly() throws {
        let card = try card("visa-credit")
        _ = card.transmit(hex("00A4040007A000000003101000"))
        _ = card.transmit(hex("80A8000002830000"))
        play(card, [("80AE80001C" + String(repeating: "00", count: 28) + "00", "6700")])
        let right = "80AE80001D" + String(repeating: "00", count: 29) + "00"
        #expect(text(card.transmit(hex(right)).suffix(2)) == "9000")
    }

    @Test func counterGrowsWithEachTransactionAndOutlivesPower() throws {
        let card = try card("visa-credit")
        for expected in ["0002", "0003", "0004"] {
            _ = card.powerOn()
            _ = card.transmit(hex("00A4040007A000000003101000"))
            _ = card.transmit(hex("80A8000002830000"))
            #expect(text(card.transmit(hex("80CA9F3600"))) == "9F3602" + expected + "9000")
        }
    }

    @Test func pinIsCountedDownAndBlocks() throws {
        let card = try card("visa-credit")
        _ = card.transmit(hex("00A4040007A000000003101000"))
        _ = card.transmit(hex("80A8000002830000"))
        play(
            card,
            [
                ("0020008008241111FFFFFFFFFF", "63C2"), ("0020008008241234FFFFFFFFFF", "9000"),
                ("0020008008241111FFFFFFFFFF", "63C2"), ("0020008008241111FFFFFFFFFF", "63C1"),
                ("0020008008241111FFFFFFFFFF", "63C0"), ("0020008008241234FFFFFFFFFF", "6983"),
                ("80CA9F1700", "9F1701009000"),
            ])
    }

    private func start(_ card: EMVCardCore, asking type: String = "80") {
        _ = card.transmit(hex("00A4040007A000000003101000"))
        _ = card.transmit(hex("80A8000002830000"))
        _ = card.transmit(hex("80AE\(type)001D \(Self.visaTerminal) 00"))
    }
}
