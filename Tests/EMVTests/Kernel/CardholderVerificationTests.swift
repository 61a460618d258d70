import BERTLV
import EMV
import Testing

/// EMV Book 3, 10.5 for a terminal that offers "no CVM required" and nothing else. The amount is 115.00 MXN.
@Suite struct CardholderVerificationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let profile: String
        let list: String?
        let objects: [String: String]
        /// Tag 9F34.
        let results: String
        /// TVR bytes 1 and 3.
        let found: (first: String, third: String)
        let isPerformed: Bool

        init(
            _ testDescription: String, _ list: String?, _ results: String, third: String = "00", first: String = "80",
            profile: String = "1C00", isPerformed: Bool = true, objects: [String: String] = [:]
        ) {
            self.testDescription = testDescription
            self.profile = profile
            self.list = list
            self.objects = objects
            self.results = results
            found = (first, third)
            self.isPerformed = isPerformed
        }
    }

    /// X = 100.00, Y = 200.00.
    private static let limits = "0000271000004E20"
    private static let none = "0000000000000000"
    private static let pesos = ["9F42": "0484"]

    static let cases = [
        Case("the card wants no verification", none + "1F00", "3F0000", profile: "0C00", isPerformed: false),
        Case("the list is missing", nil, "3F0000", first: "A0", isPerformed: false),
        Case("the list has no rules", none, "3F0000", first: "A0", isPerformed: false),
        Case("the list has half a rule", none + "1F", "3F0000", first: "A0", isPerformed: false),
        Case("no CVM, always", none + "1F00", "1F0002"),
        Case("no CVM, not cash", none + "1F02", "1F0202"),
        Case("no CVM, if supported", none + "1F03", "1F0302"),
        Case("no CVM, else next", none + "5F00", "5F0002"),
        Case("no CVM for cash only, nothing after it", none + "1F01", "3F0001", third: "80"),
        Case("no CVM with manual cash or cashback only", none + "1F041F05", "3F0001", third: "80"),
        Case("no CVM under a condition that nobody knows", none + "1F0A1F801FFF", "3F0001", third: "80"),
        Case("PIN if supported, then signature if supported, then no CVM", none + "410342031E031F02", "1F0202"),
        Case("online PIN always, else next", none + "42001F00", "1F0002", third: "10"),
        Case("online PIN always, and nothing else", none + "02001F00", "020001", third: "90"),
        Case("PIN by the card, each in its way", none + "41004300440045001F00", "1F0002", third: "10"),
        Case("PIN if supported only", none + "0203", "3F0001", third: "80"),
        Case("signature always, else next", none + "5E001F00", "1F0002"),
        Case("signature always", none + "1E001F00", "1E0001", third: "80"),
        Case("fail", none + "00001F00", "000001", third: "80"),
        Case("fail, even with the bit for the next rule", none + "40001F00", "400001", third: "80"),
        Case("a method of the payment system, else next", none + "60001F00", "1F0002", third: "40"),
        Case("a method that is not known", none + "20001F00", "200001", third: "C0"),
        Case("under X", "00002EE000004E20" + "1F06", "1F0602", objects: pesos),
        Case("not under X", limits + "1F06", "3F0001", third: "80", objects: pesos),
        Case("over X", limits + "1F07", "1F0702", objects: pesos),
        Case("under Y", limits + "1F08", "1F0802", objects: pesos),
        Case("not over Y", limits + "1F09", "3F0001", third: "80", objects: pesos),
        Case("over Y", "00000000000003E8" + "1F09", "1F0902", objects: pesos),
        Case(
            "exactly X is neither under nor over", "00002CEC00000000" + "1F061F07", "3F0001", third: "80",
            objects: pesos),
        Case("X in another currency", limits + "1F07", "3F0001", third: "80", objects: ["9F42": "0840"]),
        Case("X without a currency", limits + "1F07", "3F0001", third: "80"),
    ]

    @Test("the list leads to its result", arguments: cases)
    func list(test: Case) throws {
        var card = KernelCard()
        card.profile = test.profile
        card.objects.merge(test.objects) { $1 }
        card.objects["8E"] = test.list
        let tvr = test.found.first + "00" + test.found.third + "8000"
        let text =
            card.reading
            + "\(KernelCard.first(tvr: tvr, cvm: test.results)) < \(KernelCard.cryptogram("00"))9000"
        let replay = try replay(text)
        #expect(replay.outcome == .declinedOffline(.cardOrTerminalDecision))
        #expect(replay.value(0x9F34) == test.results)
        #expect(replay.value(0x9B) == (test.isPerformed ? "6800" : "2800"))
    }
}
