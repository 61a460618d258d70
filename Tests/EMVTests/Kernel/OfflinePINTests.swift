import Testing

@testable import EMV

/// EMV Book 3, 10.5.1 and 6.5.12; Book 4, 6.3.4: PINs that the card checks in clear, and what else can happen at the pad.
@Suite struct OfflinePINTests {
    private static let none = VerifiedDialogue.noAmounts

    private static func plain(_ steps: String, list: String = "4100" + "1F00", capabilities: UInt8 = 0x88)
        -> VerifiedDialogue
    {
        VerifiedDialogue(list: none + list, capabilities: capabilities, steps: steps)
    }

    private static func request(_ tries: Int?, isRepeated: Bool = false) -> PINRequest {
        PINRequest(method: .offlinePlaintext, triesLeft: tries, isRepeated: isRepeated)
    }

    @Test("the right PIN at once")
    func right() throws {
        let replay = try Self.plain(VerifiedDialogue.tries(3) + VerifiedDialogue.pin("9000")).expect(
            "410002", third: "00")
        #expect(replay.requests == [Self.request(3)])
    }

    @Test("two wrong PINs, then the right one: the cardholder is warned of the last try")
    func repeated() throws {
        let steps =
            VerifiedDialogue.tries(3) + VerifiedDialogue.pin("63C2") + VerifiedDialogue.pin("63C1")
            + VerifiedDialogue.pin("9000")
        let replay = try Self.plain(steps).expect("410002", third: "00")
        #expect(
            replay.requests == [Self.request(3), Self.request(2, isRepeated: true), Self.request(1, isRepeated: true)])
        #expect(replay.requests.map(\.isLastTry) == [false, false, true])
    }

    @Test("the last try was wrong, or the card says that it is blocked", arguments: ["63C0", "6983", "6984"])
    func blocked(status: String) throws {
        let steps = VerifiedDialogue.tries(1) + VerifiedDialogue.pin(status)
        try Self.plain(steps).expect("1F0002", third: "20")
        try Self.plain(steps, list: "0100" + "1F00").expect("010001", third: "A0")
    }

    @Test("without tries nobody is asked")
    func noTries() throws {
        let replay = try Self.plain(VerifiedDialogue.tries(0)).expect("1F0002", third: "20")
        #expect(replay.requests.isEmpty)
    }

    @Test("a blocked PIN is asked for by no later rule, but an online PIN is")
    func blockedForAll() throws {
        let list = "4100" + "4300" + "0200"
        let steps = VerifiedDialogue.tries(0) + "pin captured"
        let replay = try Self.plain(steps, list: list, capabilities: 0xE8).expect("020000", third: "24")
        #expect(replay.requests == [PINRequest(method: .online, triesLeft: nil, isRepeated: false)])
        let used = VerifiedDialogue.tries(1) + VerifiedDialogue.pin("63C0") + "pin captured"
        #expect(
            try Self.plain(used, list: list, capabilities: 0xE8).expect("020000", third: "24").requests.count == 2)
    }

    @Test(
        "a card that does not tell its counter is asked all the same",
        arguments: ["6A88", "9000", "9F1702 0303 9000", "9F3601 00 9000", "9F1701 00 6283", "9F17 9000"])
    func noCounter(answer: String) throws {
        let replay = try Self.plain("80CA9F1700 < \(answer)\n" + VerifiedDialogue.pin("9000")).expect(
            "410002", third: "00")
        #expect(replay.requests == [Self.request(nil)])
    }

    @Test("any other answer to VERIFY fails the method", arguments: ["6A80", "6D00", "6E00", "6700", "6300", "6283"])
    func refused(status: String) throws {
        let steps = VerifiedDialogue.tries(3) + VerifiedDialogue.pin(status)
        try Self.plain(steps).expect("1F0002", third: "00")
        try Self.plain(steps, list: "0100" + "1F00").expect("010001", third: "80")
    }

    @Test("a card that lets the PIN be tried for ever is blocked after fifteen tries")
    func endless() throws {
        let steps = VerifiedDialogue.tries(15) + (0..<15).map { _ in VerifiedDialogue.pin("63CF") }.joined()
        #expect(try Self.plain(steps).expect("1F0002", third: "20").requests.count == 15)
    }

    @Test("PIN and signature: the PIN is checked, the signature is still to come")
    func withSignature() throws {
        let right = VerifiedDialogue.tries(3) + VerifiedDialogue.pin("63C2") + VerifiedDialogue.pin("9000")
        try Self.plain(right, list: "0300", capabilities: 0xA0).expect("030000", third: "00")
        let wrong = VerifiedDialogue.tries(1) + VerifiedDialogue.pin("63C0")
        try Self.plain(wrong, list: "0300", capabilities: 0xA0).expect("030001", third: "A0")
    }

    @Test("after a bypass every further PIN method counts as bypassed")
    func bypassed() throws {
        let steps = VerifiedDialogue.tries(3) + "pin bypassed"
        for list in ["4100" + "4200" + "4300" + "1F00", "4100" + "1F00"] {
            let replay = try Self.plain(steps, list: list, capabilities: 0xE8).expect("1F0002", third: "08")
            #expect(replay.requests.count == 1)
        }
        try Self.plain(steps, list: "0100" + "1F00").expect("010001", third: "88")
        try Self.plain(steps, list: "4100" + "0200", capabilities: 0xC8).expect("020001", third: "88")
        try Self.plain("pin bypassed", list: "4200" + "4100", capabilities: 0xC8).expect("3F0001", third: "88")
    }

    @Test("a pad that does not work: PIN required, but no pad")
    func padFailed() throws {
        let steps = VerifiedDialogue.tries(3) + "pin failed"
        try Self.plain(steps).expect("1F0002", third: "10")
        try Self.plain(steps, list: "0100" + "1F00").expect("010001", third: "90")
        try Self.plain("pin failed", list: "0200", capabilities: 0x40).expect("020001", third: "90")
    }

    @Test("a pad that talks to the card by itself reports what the card said")
    func verifiedByPad() throws {
        let tries = VerifiedDialogue.tries(3)
        try Self.plain(tries + "pin verified 9000").expect("410002", third: "00")
        try Self.plain(tries + "pin verified 6983").expect("1F0002", third: "20")
        try Self.plain(tries + "pin verified 6A80").expect("1F0002", third: "00")
        let replay = try Self.plain(tries + "pin verified 63C1\npin verified 9000").expect("410002", third: "00")
        #expect(replay.requests.last == Self.request(1, isRepeated: true))
        #expect(!replay.commands.contains { $0.hasPrefix("0020") })
    }

    @Test(
        "an answer that does not belong to the method fails it, and nothing is sent",
        arguments: [
            ("4100", "pin captured"), ("4100", "pin block 2412 34FF FFFF FF"), ("4100", "pin block"),
            ("4200", "pin verified 9000"), ("4200", "pin block 241234FFFFFFFFFF"),
        ])
    func unfitting(rule: String, answer: String) throws {
        let steps = (rule == "4100" ? VerifiedDialogue.tries(3) : "") + answer
        let replay = try Self.plain(steps, list: rule + "1F00", capabilities: 0xC8).expect("1F0002", third: "00")
        #expect(!replay.commands.contains { $0.hasPrefix("0020") })
    }

    @Test("an online PIN is the issuer's to check")
    func online() throws {
        let replay = try Self.plain("pin captured", list: "4200" + "1F00", capabilities: 0x48).expect(
            "420000", third: "04")
        #expect(replay.requests == [PINRequest(method: .online, triesLeft: nil, isRepeated: false)])
    }

    @Test(
        "cancel ends the transaction before any cryptogram",
        arguments: [("4100", VerifiedDialogue.tries(3)), ("4200", "")])
    func cancelled(rule: String, before: String) throws {
        var card = KernelCard()
        card.objects["8E"] = Self.none + rule + "1F00"
        var terminal = Replay.terminal()
        terminal.capabilities = try #require(TerminalCapabilities(bytes: [0x60, 0xC8, 0xC8]))
        let replay = try replay(card.reading + before + "pin cancelled", terminal: terminal)
        #expect(replay.outcome == .cancelledByCardholder)
        #expect(!replay.commands.contains { $0.hasPrefix("80AE") })
    }
}
