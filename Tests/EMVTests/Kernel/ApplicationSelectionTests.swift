import EMV
import Testing

/// EMV Book 1, 12.3 and 12.4. Most exchanges are those of the selection tests of openemv/emv-utils.
@Suite struct ApplicationSelectionTests {
    static let terminal = Replay.terminal(
        [
            ("A0000000031010", false), ("A0000000032010", false), ("A0000000032020", false), ("A0000000041010", true),
            ("A0000000043060", false),
        ].map { TerminalApplication(aid: bytes($0.0), allowsPartialSelection: $0.1, versionNumber: [0, 2]) })

    static let directory = "00A404000E315041592E5359532E444446303100"
    static let directoryFCI = "6F20840E315041592E5359532E4444463031A50E8801015F2D046E6C656E9F110101"

    static func select(_ aid: String, next: Bool = false) -> String {
        "00A404\(next ? "02" : "00")" + hex([UInt8(aid.count / 2)]) + aid + "00"
    }

    static func information(_ name: String, priority: String? = nil) -> String {
        tlv("6F", tlv("84", name), tlv("A5", tlv("50", "56495341"), priority.map { tlv("87", $0) } ?? ""))
    }

    /// The rest of the list, each answered "file not found".
    static func missing(_ aids: String...) -> String {
        aids.map { select($0) + " < 6A82\n" }.joined()
    }

    static let wholeList = missing(
        "A0000000031010", "A0000000032010", "A0000000032020", "A0000000041010", "A0000000043060")

    static let listed = "702961274F07A0000000031010500B56495341204352454449548701019F120B5649534120435245444954"

    @Test("a card that answers 6A81 to the directory is blocked: nothing else is sent")
    func cardBlocked() throws {
        let replay = try replay("\(Self.directory) < 6A81", terminal: Self.terminal)
        #expect(replay.outcome == .notAccepted(.cardBlocked))
        #expect(replay.commands.count == 1)
    }

    @Test("6A81 to the first AID of the list is a blocked card, too")
    func cardBlockedWithoutDirectory() throws {
        let text = "\(Self.directory) < 6A82\n\(Self.select("A0000000031010")) < 6A81"
        #expect(try replay(text, terminal: Self.terminal).outcome == .notAccepted(.cardBlocked))
    }

    @Test("6A81 to a later AID means that this one is not there")
    func laterUnsupported() throws {
        let text = """
            \(Self.directory) < 6A82
            \(Self.missing("A0000000031010"))\(Self.select("A0000000032010")) < 6A81
            \(Self.missing("A0000000032020", "A0000000041010", "A0000000043060"))
            """
        #expect(try replay(text, terminal: Self.terminal).outcome == .notAccepted(.noCommonApplication))
    }

    @Test(
        "a card without any application of ours is not accepted",
        arguments: ["6A82", "6283", "6985", "6D00", "9000", "9001", "6F009000", "\(directoryFCI)6283"])
    func nothingInCommon(directoryAnswer: String) throws {
        let replay = try replay("\(Self.directory) < \(directoryAnswer)\n\(Self.wholeList)", terminal: Self.terminal)
        #expect(replay.outcome == .notAccepted(.noCommonApplication))
        #expect(replay.kernel.application == nil)
    }

    @Test("an application that answers 6283 is blocked and no candidate")
    func applicationBlocked() throws {
        let text = """
            \(Self.directory) < 6A82
            \(Self.missing("A0000000031010", "A0000000032010"))
            \(Self.select("A0000000032020")) < \(Self.information("A0000000032020"))6283
            \(Self.missing("A0000000041010", "A0000000043060"))
            """
        #expect(try replay(text, terminal: Self.terminal).outcome == .notAccepted(.applicationBlocked))
    }

    @Test(
        "a directory without an application of ours leads to the list",
        arguments: [
            // An AID that the terminal does not have; entries without 4F and with one that is too short; no 61 at all.
            listed.replacing("A0000000031010", with: "A0000000033030"), "700661044F02A000", "700661045002 4142", "7000",
            // One that is too long, though it begins with an AID that is taken in part.
            "70156113 4F11 A0000000041010 00000000000000000000",
        ])
    func directoryOfOthers(record: String) throws {
        let text = """
            \(Self.directory) < \(Self.directoryFCI)9000
            00B2010C00 < \(record)9000
            00B2020C00 < 6A83
            \(Self.wholeList)
            """
        #expect(try replay(text, terminal: Self.terminal).outcome == .notAccepted(.noCommonApplication))
    }

    @Test(
        "a directory record that is not exactly one template 70, or another status, leads to the list",
        arguments: ["\(listed)\(listed)9000", "61009000", "70056103509000", "9000", "6A82", "6985"])
    func damagedDirectory(answer: String) throws {
        let text = """
            \(Self.directory) < \(Self.directoryFCI)9000
            00B2010C00 < \(Self.listed)9000
            00B2020C00 < \(answer)
            \(Self.wholeList)
            """
        #expect(try replay(text, terminal: Self.terminal).outcome == .notAccepted(.noCommonApplication))
    }

    @Test("an application of the directory is selected by its full name")
    func fromDirectory() throws {
        let text = """
            \(Self.directory) < \(Self.directoryFCI)9000
            00B2010C00 < \(Self.listed)9000
            00B2020C00 < 6A83
            \(Self.select("A0000000031010")) < \(Self.information("A0000000031010"))9000
            80A8000002830000 < 6A80
            """
        let application = try #require(try replay(text, terminal: Self.terminal).kernel.application)
        #expect(application.aid == bytes("A0000000031010"))
        #expect(application.priority == 1)
        #expect(!application.needsConfirmation)
        #expect(application.displayName == "VISA")
    }

    @Test("an application that needs the cardholder's confirmation is not taken by a kiosk")
    func confirmation() throws {
        let text = """
            \(Self.directory) < \(Self.directoryFCI)9000
            00B2010C00 < \(Self.listed.replacing("870101", with: "870181"))9000
            00B2020C00 < 6A83
            """
        #expect(try replay(text, terminal: Self.terminal).outcome == .notAccepted(.noCommonApplication))
    }

    @Test("partial selection asks for the next occurrence until there is none")
    func partialSelection() throws {
        let first =
            "6F458408A000000004101010A53950094D43204352454449545F2D046E6C656E8701019F1101019F120A4D4153544552"
            + "43415244BF0C109F4D020B0A9F0A080001050200000000"
        let second = first.replacing("A000000004101010", with: "A000000004101020").replacing("870101", with: "870102")
        let text = """
            \(Self.directory) < 6A82
            \(Self.missing("A0000000031010", "A0000000032010", "A0000000032020"))
            \(Self.select("A0000000041010")) < \(first)9000
            \(Self.select("A0000000041010", next: true)) < \(second)9000
            \(Self.select("A0000000041010", next: true)) < 6A82
            \(Self.missing("A0000000043060"))
            \(Self.select("A000000004101010")) < \(first)9000
            80A8000002830000 < 6985
            \(Self.select("A000000004101020")) < \(second)9000
            80A8000002830000 < 6985
            """
        let replay = try replay(text, terminal: Self.terminal)
        #expect(replay.outcome == .notAccepted(.noCommonApplication))
        #expect(replay.kernel.application?.displayName == "MASTERCARD")
    }

    @Test("a card that repeats one name for ever is one candidate, asked for a bounded number of times")
    func repeatingCard() throws {
        let fci = Self.information("A000000004101010")
        let repeated = (0..<31).map { _ in "\(Self.select("A0000000041010", next: true)) < \(fci)9000\n" }.joined()
        let text = """
            \(Self.directory) < 6A82
            \(Self.missing("A0000000031010", "A0000000032010", "A0000000032020"))
            \(Self.select("A0000000041010")) < \(fci)9000
            \(repeated)\(Self.missing("A0000000043060"))
            \(Self.select("A000000004101010")) < 6A82
            """
        #expect(try replay(text, terminal: Self.terminal).outcome == .notAccepted(.noCommonApplication))
    }

    @Test("candidates are tried by priority, equals in the order of the card, those without one last")
    func priorities() throws {
        let listing = [
            ("01", "05"), ("02", "04"), ("03", nil), ("04", nil), ("05", "01"), ("06", "07"), ("07", "01"),
            ("08", "04"),
        ]
        let entries = listing.map { suffix, priority in
            let aid = suffix == "04" ? "A0000000999999" : "A0000000041010\(suffix)"
            return tlv("61", tlv("4F", aid), priority.map { tlv("87", $0) } ?? "")
        }
        let order = ["05", "07", "02", "08", "01", "06", "03"]
        let text = """
            \(Self.directory) < \(Self.directoryFCI)9000
            00B2010C00 < \(tlv("70", entries.joined()))9000
            00B2020C00 < 6A83
            \(order.map { "\(Self.select("A0000000041010\($0)")) < 6A82" }.joined(separator: "\n"))
            """
        #expect(try replay(text, terminal: Self.terminal).outcome == .notAccepted(.noCommonApplication))
    }

    @Test(
        "an answer to the final SELECT that is none drops the candidate",
        arguments: [
            "6A82", "6283", "9000", "\(information("A0000000032010"))9000", "\(information("A0000000031010"))6283",
            "6F0984 07A00000000310109000", "6F02A5009000",
        ])
    func finalSelect(answer: String) throws {
        let text = """
            \(Self.directory) < \(Self.directoryFCI)9000
            00B2010C00 < \(Self.listed)9000
            00B2020C00 < 6A83
            \(Self.select("A0000000031010")) < \(answer)
            """
        guard case .notAccepted = try replay(text, terminal: Self.terminal).outcome else {
            Issue.record("it was accepted")
            return
        }
    }

    @Test("a status word that is none ends the transaction", arguments: ["0000", "8000", "5000", "FFFF"])
    func invalidStatus(status: String) throws {
        let replay = try replay("\(Self.directory) < \(status)", terminal: Self.terminal)
        #expect(
            replay.outcome == .cardError(CardFault(stage: .selection, reason: "status word \(status)")))
    }
}
