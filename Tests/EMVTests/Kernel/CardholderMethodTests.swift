import BERTLV
import EMV
import Testing

/// EMV Book 3, 10.5 and Annex C3, for each method on terminals with and without it.
@Suite struct CardholderMethodTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let rule: String
        let capabilities: UInt8
        /// Result byte of 9F34 and byte 3 of the TVR.
        let result: String
        let third: String
        let steps: String

        init(_ rule: String, _ capabilities: UInt8, _ result: String, _ third: String, _ steps: String = "") {
            self.rule = rule
            self.capabilities = capabilities
            self.result = result
            self.third = third
            self.steps = steps
        }

        var testDescription: String { "rule \(rule), 9F33 byte 2 \(hex([capabilities]))" }
    }

    private static let rightPIN = VerifiedDialogue.tries(3) + VerifiedDialogue.pin("9000")

    static let cases = [
        Case("0100", 0x80, "02", "00", rightPIN), Case("0103", 0x80, "02", "00", rightPIN),
        Case("4100", 0x80, "02", "00", rightPIN),
        // Another kind of pad only, then none at all.
        Case("0100", 0x58, "01", "80"), Case("0100", 0x28, "01", "90"),
        Case("0200", 0x40, "00", "04", "pin captured"), Case("4203", 0x40, "00", "04", "pin captured"),
        Case("0200", 0x98, "01", "80"), Case("0200", 0x28, "01", "90"),
        Case("0300", 0xA0, "00", "00", rightPIN), Case("0300", 0x80, "01", "80"), Case("0300", 0x40, "01", "80"),
        Case("0300", 0x20, "01", "90"), Case("0300", 0x08, "01", "90"),
        // Enciphered, by a card without any key: the method fails before anyone is asked.
        Case("0400", 0x10, "01", "80"), Case("0400", 0xC0, "01", "80"), Case("0400", 0x08, "01", "90"),
        Case("0500", 0x30, "01", "80"), Case("0500", 0x10, "01", "80"), Case("0500", 0x20, "01", "90"),
        Case("1E00", 0x20, "00", "00"), Case("5E03", 0x20, "00", "00"), Case("1E00", 0xD8, "01", "80"),
        Case("1F00", 0x08, "02", "00"), Case("1F00", 0xF0, "01", "80"),
        Case("0000", 0xFF, "01", "80"), Case("4000", 0xFF, "01", "80"),
        // Biometrics, reserved, of payment systems and issuers.
        Case("0600", 0xFF, "01", "C0"), Case("0F00", 0xFF, "01", "C0"), Case("1D00", 0xFF, "01", "C0"),
        Case("2000", 0xFF, "01", "C0"), Case("2F00", 0xFF, "01", "C0"), Case("3000", 0xFF, "01", "C0"),
        Case("3E00", 0xFF, "01", "C0"), Case("3F00", 0xFF, "01", "C0"),
    ]

    @Test("a method leads to its result", arguments: cases)
    func method(test: Case) throws {
        try VerifiedDialogue(
            list: VerifiedDialogue.noAmounts + test.rule, capabilities: test.capabilities, steps: test.steps
        ).expect(test.rule + test.result, third: test.third)
    }

    /// Methods that fail on a terminal with no CVM and an online pad, with what they leave in the TVR.
    private static let failing = [
        ("01", "00"), ("03", "00"), ("04", "00"), ("05", "00"), ("1E", "00"), ("06", "40"), ("20", "40"), ("3F", "40"),
    ]

    @Test("without bit 7 a failed method ends the list", arguments: failing)
    func ends(code: String, third: String) throws {
        let list = VerifiedDialogue.noAmounts + code + "001F00"
        try VerifiedDialogue(list: list, capabilities: 0x48).expect(
            code + "0001", third: third == "00" ? "80" : "C0")
    }

    @Test("with bit 7 the next rule is tried", arguments: failing)
    func goesOn(code: String, third: String) throws {
        let continued = hex(bytes(code).map { $0 | 0x40 })
        let list = VerifiedDialogue.noAmounts + continued + "001F00"
        try VerifiedDialogue(list: list, capabilities: 0x48).expect("1F0002", third: third)
    }

    @Test("with bit 7 in the last rule the list is exhausted", arguments: failing)
    func exhausted(code: String, third: String) throws {
        let list = VerifiedDialogue.noAmounts + hex(bytes(code).map { $0 | 0x40 }) + "00"
        try VerifiedDialogue(list: list, capabilities: 0x48).expect("3F0001", third: third == "00" ? "80" : "C0")
    }

    @Test("a condition that does not hold hides even a method that nobody knows")
    func hidden() throws {
        let list = VerifiedDialogue.noAmounts + "20032F0106041F00"
        try VerifiedDialogue(list: list, capabilities: 0xFF).expect("1F0002", third: "00")
    }

    @Test("the longest list is walked to its end")
    func longest() throws {
        let rules = String(repeating: "5E00", count: 121) + "1F00"
        try VerifiedDialogue(list: VerifiedDialogue.noAmounts + rules).expect("1F0002", third: "00")
    }

    @Test(
        "a list that cannot be used is as good as missing: ICC data missing, and nothing performed",
        arguments: [nil, "", "00", "0000000000000000", "00000000000000001F", "00000000000000001F001F"] as [String?])
    func unusable(list: String?) throws {
        var card = KernelCard()
        card.objects["8E"] = list
        let replay = try replay(card.reading + "80AE80* < \(KernelCard.cryptogram("00"))9000")
        #expect(replay.value(0x9F34) == "3F0000")
        #expect(replay.value(0x95) == "A000008000")
        #expect(replay.value(0x9B) == "2800")
    }

    @Test("a card that does not ask for verification gets none, whatever its list says")
    func notAskedFor() throws {
        var card = KernelCard()
        card.profile = "0C00"
        card.objects["8E"] = VerifiedDialogue.noAmounts + "0000"
        let replay = try replay(card.reading + "80AE80* < \(KernelCard.cryptogram("00"))9000")
        #expect(replay.value(0x9F34) == "3F0000")
        #expect(replay.value(0x95) == "8000008000")
        #expect(replay.value(0x9B) == "2800")
    }
}
