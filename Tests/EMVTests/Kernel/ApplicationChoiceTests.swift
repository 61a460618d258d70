import BERTLV
import EMV
import Testing

/// EMV Book 1, 12.4, on a terminal that can ask the cardholder.
@Suite struct ApplicationChoiceTests {
    private typealias Selection = ApplicationSelectionTests

    private static let first = "A0000000031010"
    private static let second = "A0000000032010"
    private static let third = "A0000000032020"
    private static let options = "80A8000002830000"

    private static var terminal: TerminalConfiguration {
        var terminal = Selection.terminal
        terminal.asksForApplication = true
        return terminal
    }

    /// A directory of these AIDs with their tag 87.
    private static func directory(_ entries: (aid: String, priority: String)...) -> String {
        let record = tlv("70", entries.map { tlv("61", tlv("4F", $0.aid), tlv("87", $0.priority)) }.joined())
        return """
            \(Selection.directory) < \(Selection.directoryFCI)9000
            00B2010C00 < \(record)9000
            00B2020C00 < 6A83

            """
    }

    /// SELECT of a chosen application; with a `status`, GET PROCESSING OPTIONS follows.
    private static func selected(_ aid: String, optionsAnswer: String? = "6985") -> String {
        let select = "\(Selection.select(aid)) < \(Selection.information(aid))9000\n"
        return select + (optionsAnswer.map { "\(options) < \($0)\n" } ?? "")
    }

    private static let three = directory((first, "02"), (second, "81"), (third, "00"))

    @Test("one application that wants confirmation is offered, and taken when the cardholder agrees")
    func confirmed() throws {
        let text =
            Self.directory((Self.first, "81")) + "choose 0\n" + Self.selected(Self.first, optionsAnswer: "6A80")
        let replay = try replay(text, terminal: Self.terminal)
        #expect(replay.offers == [[Self.first]])
        #expect(replay.kernel.application?.aid == bytes(Self.first))
    }

    @Test("one application that needs no confirmation is taken unasked")
    func unasked() throws {
        let text = Self.directory((Self.first, "01")) + Self.selected(Self.first, optionsAnswer: "6A80")
        #expect(try replay(text, terminal: Self.terminal).offers.isEmpty)
    }

    @Test("several are offered by priority, those without one last")
    func several() throws {
        let text = Self.three + "choose 1\n" + Self.selected(Self.first, optionsAnswer: "6A80")
        let replay = try replay(text, terminal: Self.terminal)
        #expect(replay.offers == [[Self.second, Self.first, Self.third]])
        #expect(replay.kernel.application?.aid == bytes(Self.first))
    }

    @Test("the one chosen carries the transaction to its end")
    func toTheEnd() throws {
        let card = KernelCard()
        let text =
            Self.three + "choose 2\n"
            + Self.selected(Self.third, optionsAnswer: tlv("80", card.profile, card.locator) + "9000")
                + """
                00B2010C00 < \(card.record)9000
                80AE80* < \(KernelCard.arqc)9000
                host 00 yes
                80AE40* < \(KernelCard.cryptogram("40"))9000
                """
        let replay = try replay(text, terminal: Self.terminal)
        #expect(replay.outcome == .approved)
        #expect(replay.kernel.onlineValue(of: 0x84) == bytes(Self.third))
    }

    @Test("cancel ends the transaction, and nothing more is sent", arguments: [three, directory((first, "81"))])
    func cancelled(directory: String) throws {
        let replay = try replay(directory + "choose cancel", terminal: Self.terminal)
        #expect(replay.outcome == .cancelledByCardholder)
        #expect(replay.commands.count == 3)
        #expect(replay.kernel.application == nil)
    }

    @Test("after 6985 the rest is offered again; the last one is taken unasked")
    func restOffered() throws {
        let text =
            Self.three + "choose 0\n" + Self.selected(Self.second) + "choose 1\n" + Self.selected(Self.third)
            + Self.selected(Self.first)
        let replay = try replay(text, terminal: Self.terminal)
        #expect(replay.offers == [[Self.second, Self.first, Self.third], [Self.first, Self.third]])
        #expect(replay.outcome == .notAccepted(.noCommonApplication))
    }

    @Test("after 6985 the last one is offered when it wants confirmation, and may be refused")
    func lastOneOffered() throws {
        let text = Self.three + "choose 1\n" + Self.selected(Self.first) + "choose 1\n" + Self.selected(Self.third)
        let agreed = try replay(text + "choose 0\n" + Self.selected(Self.second), terminal: Self.terminal)
        #expect(agreed.offers.last == [Self.second])
        #expect(agreed.outcome == .notAccepted(.noCommonApplication))
        let refused = try replay(text + "choose cancel", terminal: Self.terminal)
        #expect(refused.outcome == .cancelledByCardholder)
    }

    @Test("a choice that the card then does not select is dropped from the list", arguments: ["6A82", "6283", "9000"])
    func notSelected(answer: String) throws {
        let text = Self.three + "choose 0\n\(Selection.select(Self.second)) < \(answer)\nchoose cancel"
        let replay = try replay(text, terminal: Self.terminal)
        #expect(replay.offers.last == [Self.first, Self.third])
        #expect(replay.outcome == .cancelledByCardholder)
    }

    @Test("a choice that is not in the list accepts nothing", arguments: [-1, 3, Int.max])
    func outOfRange(index: Int) throws {
        let replay = try replay(Self.three + "choose \(index)", terminal: Self.terminal)
        #expect(replay.outcome == .notAccepted(.noCommonApplication))
    }

    @Test("candidates of the AID list are offered, too")
    func fromList() throws {
        let text = """
            \(Selection.directory) < 6A82
            \(Selection.select(Self.first)) < \(Selection.information(Self.first, priority: "02"))9000
            \(Selection.select(Self.second)) < \(Selection.information(Self.second, priority: "01"))9000
            \(Selection.missing(Self.third, "A0000000041010", "A0000000043060"))choose cancel
            """
        let replay = try replay(text, terminal: Self.terminal)
        #expect(replay.offers == [[Self.second, Self.first]])
    }

    @Test("nobody is asked out of turn")
    func misuse() throws {
        let fault = CardFault(stage: .selection, reason: "the kernel was called out of turn")
        var kernel = ContactKernel(terminal: Self.terminal, transaction: try Replay.transaction())
        _ = kernel.start()
        for step in [kernel.applicationChosen(0), kernel.applicationChosen(nil), kernel.pinAnswered(.captured)] {
            guard case .finished(.cardError(fault)) = step else {
                Issue.record("\(step)")
                continue
            }
        }
    }
}
