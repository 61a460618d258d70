import EMV
import Testing

/// EMV Book 3, 10.4: findings go into byte 2 of the TVR and never end the transaction. The day is 30 November 2026.
@Suite struct ProcessingRestrictionsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let objects: [String: String]
        /// TVR byte 2.
        let found: String

        init(_ testDescription: String, _ objects: [String: String], _ found: String) {
            self.testDescription = testDescription
            self.objects = objects
            self.found = found
        }
    }

    static let cases = [
        Case("nothing but what is mandatory", [:], "00"),
        Case("the terminal's version", ["9F08": "008C"], "00"),
        Case("another version", ["9F08": "008D"], "80"),
        Case("a version of one byte", ["9F08": "8C"], "80"),
        Case("expires today", ["5F24": "261130"], "00"),
        Case("expired yesterday", ["5F24": "261129"], "40"),
        Case("expired at the end of last month", ["5F24": "261031"], "40"),
        Case("expires on a leap day", ["5F24": "280229"], "00"),
        Case("a year of the last century", ["5F24": "991231"], "40"),
        Case("the last year of this century's half", ["5F24": "491231"], "00"),
        Case("effective today", ["5F25": "261130"], "00"),
        Case("effective tomorrow", ["5F25": "261201"], "20"),
        Case("effective from a date that is none", ["5F25": "269901"], "00"),
        Case("effective tomorrow and expired yesterday", ["5F24": "261129", "5F25": "261201"], "60"),
        Case("usage control allows everything", ["9F07": "FFC0"], "00"),
        Case("not valid at terminals other than ATMs", ["9F07": "FE00"], "10"),
        Case("valid here, country of the issuer unknown", ["9F07": "0100"], "00"),
        Case("domestic, goods only", ["9F07": "2100", "5F28": "0484"], "00"),
        Case("domestic, services only", ["9F07": "0900", "5F28": "0484"], "00"),
        Case("domestic, but international only", ["9F07": "1500", "5F28": "0484"], "10"),
        Case("domestic, cash only", ["9F07": "8100", "5F28": "0484"], "10"),
        Case("international, goods only", ["9F07": "1100", "5F28": "0840"], "00"),
        Case("international, services only", ["9F07": "0500", "5F28": "0840"], "00"),
        Case("international, but domestic only", ["9F07": "2900", "5F28": "0840"], "10"),
        Case("international, cash only", ["9F07": "4100", "5F28": "0840"], "10"),
        Case("everything at once", ["9F08": "0001", "5F24": "200101", "5F25": "300101", "9F07": "0000"], "F0"),
    ]

    @Test("a finding sets its bit of the TVR", arguments: cases)
    func findings(test: Case) throws {
        var card = KernelCard()
        card.objects.merge(test.objects) { $1 }
        let text =
            card.reading
            + "\(KernelCard.first(tvr: "80\(test.found)008000", cvm: "1F0002")) < \(KernelCard.cryptogram("00"))9000"
        #expect(try replay(text).outcome == .declinedOffline(.cardOrTerminalDecision))
    }
}
