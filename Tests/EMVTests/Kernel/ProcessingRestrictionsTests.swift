import BERTLV
import EMV
import Money
import Testing

@testable import FirmwareCores

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

    struct Usage: Sendable {
        let control: String
        /// International where the issuer's country is given so; the terminal is Mexican.
        var country = "0484"
        var type = TransactionType.goodsOrServices
        var other: Int64 = 0
        /// Tag 9F35, and byte 1 of 9F40.
        var terminal: UInt8 = 0x24
        var capabilities: UInt8 = 0x60
        /// TVR byte 2.
        let found: String
    }

    static let usages = [
        Usage(control: "8100", type: .cash, found: "00"), Usage(control: "4100", type: .cash, found: "10"),
        Usage(control: "4100", country: "0840", type: .cash, found: "00"),
        Usage(control: "8100", country: "0840", type: .cash, found: "10"),
        Usage(control: "3D00", type: .cash, found: "10"),
        Usage(control: "2180", type: .purchaseWithCashback, found: "00"),
        Usage(control: "2140", type: .purchaseWithCashback, found: "10"),
        Usage(control: "0180", type: .purchaseWithCashback, found: "10"),
        Usage(control: "1140", country: "0840", type: .purchaseWithCashback, found: "00"),
        Usage(control: "1180", country: "0840", type: .purchaseWithCashback, found: "10"),
        Usage(control: "2180", other: 5_000, found: "00"), Usage(control: "2100", other: 5_000, found: "10"),
        // An ATM is a bank's, unattended, and pays out.
        Usage(control: "8200", type: .cash, terminal: 0x14, capabilities: 0x80, found: "00"),
        Usage(control: "8100", type: .cash, terminal: 0x14, capabilities: 0x80, found: "10"),
        Usage(control: "8100", type: .cash, terminal: 0x14, capabilities: 0x60, found: "00"),
        Usage(control: "8100", type: .cash, terminal: 0x11, capabilities: 0x80, found: "00"),
        Usage(control: "8100", type: .cash, terminal: 0x24, capabilities: 0x80, found: "00"),
        Usage(control: "8200", type: .cash, terminal: 0x24, capabilities: 0x80, found: "10"),
    ]

    @Test("usage control of cash, cashback and ATMs, at home and abroad", arguments: usages)
    func usage(test: Usage) throws {
        var card = KernelCard()
        card.objects["9F07"] = test.control
        card.objects["5F28"] = test.country
        card.objects["8C"] = "9505"
        card.objects["8E"] = nil
        card.profile = "0800"
        var terminal = Replay.terminal()
        terminal.terminalType = try #require(TerminalType(code: test.terminal))
        terminal.additionalCapabilities[0] = test.capabilities
        var transaction = try Replay.transaction()
        transaction.type = test.type
        transaction.otherAmount = try #require(Amount(minorUnits: test.other, currency: .mxn))
        let text = card.reading + "80AE80000580\(test.found)008000" + "00 < \(KernelCard.cryptogram("00"))9000"
        try EMVTests.replay(text, terminal: terminal, transaction: transaction)
    }

    @Test("a usage control of the wrong length restricts nothing", arguments: ["00", "000000"])
    func misshapenUsage(control: String) throws {
        var card = KernelCard()
        card.objects["9F07"] = control
        let text =
            card.reading + "\(KernelCard.first(tvr: "8000008000", cvm: "1F0002")) < \(KernelCard.cryptogram("00"))9000"
        try replay(text)
    }

    @Test(
        "a terminal may know several versions; the card is told the main one",
        arguments: [("0096", "00"), ("008C", "00"), ("0084", "00"), ("0097", "80")])
    func severalVersions(version: String, found: String) throws {
        var card = KernelCard()
        card.objects["9F08"] = version
        card.objects["8C"] = "95059F0902"
        var entry = TerminalApplication.visa
        entry.versionNumber = [0x00, 0x96]
        entry.otherVersionNumbers = [[0x00, 0x8C], [0x00, 0x84]]
        let text = card.reading + "80AE80000780\(found)0080000096" + "00 < \(KernelCard.cryptogram("00"))9000"
        let replay = try replay(text, terminal: Replay.terminal([entry]))
        #expect(replay.outcome == .declinedOffline(.cardOrTerminalDecision))
        #expect(replay.kernel.onlineValue(of: 0x9F09) == [0x00, 0x96])
    }

    @Test("the versions of the simulated cards are known to the kiosk")
    func simulatedCards() throws {
        let known = Dictionary(
            TerminalApplication.common.map { (hex($0.aid), [$0.versionNumber] + $0.otherVersionNumbers) },
            uniquingKeysWith: { first, _ in first })
        var seen = 0
        for profile in CardProfile.all {
            for application in profile.applications {
                let versions = known.first { hex(application.identifier).hasPrefix($0.key) }?.value
                let record = application.records.values.lazy.map { TLVTree(parsing: $0).first(0x9F08) }
                guard let version = record.compactMap({ $0 }).first, let versions else { continue }
                #expect(versions.contains(version), "\(profile.name)")
                seen += 1
            }
        }
        #expect(seen > 30)
    }
}
