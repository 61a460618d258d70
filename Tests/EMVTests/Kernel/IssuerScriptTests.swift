import BERTLV
import EMV
import Testing

/// EMV Book 3, 10.10; Book 4, 6.3.9 and Annex A5.
@Suite struct IssuerScriptTests {
    private static let block = "84160000080102030405060708"
    private static let update = "04DC010C0A0102030405060708090A"
    private static let put = "04DA9F580900AABBCCDDEEFF0011"
    private static let noAuthentication = "00000000000000000000"
    private static let tc = KernelCard.cryptogram("40") + "9000"
    /// TVR bits of scripts: 20 before, 10 after the final cryptogram.
    private static let (before, after) = ("20", "10")

    private static func script(_ template: String, id: String? = "00000001", _ commands: String...) -> String {
        tlv(template, (id.map { tlv("9F18", $0) } ?? "") + commands.map { tlv("86", $0) }.joined())
    }

    private static func sent(_ command: String, _ status: String = "9000") -> String { "\(command) < \(status)\n" }

    /// The issuer approves with these data; commands of scripts come before and after the second cryptogram.
    private static func approved(
        _ data: String, before: String = "", tvr: String = "8000008000", tsi: String = "6C00", after: String = ""
    ) -> String {
        let second = KernelCard.second(
            "40", code: "3030", authentication: noAuthentication, tvr: tvr, tsi: tsi)
        return "\(KernelCard().reading)80AE8000* < \(KernelCard.arqc)9000\nhost 00 yes \(data)\n\(before)"
            + "\(second) < \(tc)\n\(after)"
    }

    private static func check(
        _ text: String, results: String?, tvr: String = "8000008000", tsi: String = "6C00",
        _ outcome: KernelOutcome = .approved, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let replay = try replay(text, sourceLocation: sourceLocation)
        #expect(replay.outcome == outcome, sourceLocation: sourceLocation)
        #expect(replay.value(0x9F5B) == results, sourceLocation: sourceLocation)
        #expect(replay.value(0x95) == tvr, sourceLocation: sourceLocation)
        #expect(replay.value(0x9B) == tsi, sourceLocation: sourceLocation)
        #expect(replay.kernel.onlineValue(of: 0x95) == bytes("8000008000"), sourceLocation: sourceLocation)
    }

    @Test("without scripts there are no results and no bit")
    func none() throws {
        try Self.check(Self.approved("8A023030", tsi: "6800"), results: nil, tsi: "6800")
    }

    @Test("71 is carried out before the final cryptogram, which tells that it was")
    func beforeFinal() throws {
        try Self.check(
            Self.approved(Self.script("71", Self.update), before: Self.sent(Self.update)), results: "2000000001")
    }

    @Test("72 is carried out after it")
    func afterFinal() throws {
        try Self.check(
            Self.approved(Self.script("72", Self.update), tsi: "6800", after: Self.sent(Self.update)),
            results: "2000000001")
    }

    @Test("a script without an identifier has one of zeros")
    func withoutIdentifier() throws {
        try Self.check(
            Self.approved(Self.script("71", id: nil, Self.update), before: Self.sent(Self.update)),
            results: "2000000000")
    }

    @Test("commands go out in order, byte for byte, whatever their case")
    func unchanged() throws {
        let commands = ["84180000", "0084000008", Self.update, "80CA9F3600", "8424000002AABB00", "8424000002AABBFF"]
        let data = tlv("71", tlv("9F18", "CAFE0001") + commands.map { tlv("86", $0) }.joined())
        try Self.check(
            Self.approved(data, before: commands.map { Self.sent($0) }.joined()), results: "20CAFE0001")
    }

    @Test("several scripts: each phase in the order of the message, results in the order of execution")
    func several() throws {
        let data =
            Self.script("72", id: "000000A1", Self.block) + Self.script("71", id: "000000B1", Self.update, Self.put)
            + tlv("91", "") + Self.script("72", id: "000000A2", Self.put)
            + Self.script("71", id: nil, Self.block)
        let text = Self.approved(
            data, before: Self.sent(Self.update) + Self.sent(Self.put) + Self.sent(Self.block),
            after: Self.sent(Self.block) + Self.sent(Self.put))
        try Self.check(text, results: "20000000B1" + "2000000000" + "20000000A1" + "20000000A2")
    }

    @Test("scripts are found wherever the host put them")
    func nested() throws {
        let data = tlv("E1", tlv("8A", "3030"), tlv("E2", Self.script("71", Self.block)))
        try Self.check(Self.approved(data, before: Self.sent(Self.block)), results: "2000000001")
    }

    @Test(
        "90xx, 62xx and 63xx are success",
        arguments: ["9000", "9001", "90FF", "6200", "6283", "62FF", "6300", "63C0", "63FF"])
    func success(status: String) throws {
        let script = Self.script("71", Self.update, Self.put)
        try Self.check(
            Self.approved(script, before: Self.sent(Self.update, status) + Self.sent(Self.put)), results: "2000000001")
    }

    @Test(
        "anything else fails the script; the rest of it is not sent, the next one is",
        arguments: ["6400", "6700", "6985", "6988", "6A80", "6D00", "6F00", "6100", "9100"])
    func failed(status: String) throws {
        let data = Self.script("71", Self.update, Self.put, Self.block) + Self.script("71", id: "00000002", Self.block)
        let text = Self.approved(
            data, before: Self.sent(Self.update) + Self.sent(Self.put, status) + Self.sent(Self.block),
            tvr: "8000008020")
        try Self.check(text, results: "1200000001" + "2000000002", tvr: "8000008020")
    }

    @Test("a failure after the final cryptogram has a bit of its own, and changes no outcome")
    func failedAfter() throws {
        let data = Self.script("72", Self.update, Self.put)
        let text = Self.approved(data, tsi: "6800", after: Self.sent(Self.update, "6985"))
        try Self.check(text, results: "1100000001", tvr: "8000008010")
        let both = Self.script("71", Self.block) + data
        let failing = Self.approved(
            both, before: Self.sent(Self.block, "6988"), tvr: "8000008020",
            after: Self.sent(Self.update) + Self.sent(Self.put, "6A80"))
        try Self.check(failing, results: "1100000001" + "1200000001", tvr: "8000008030")
    }

    @Test("the number of the failed command has four bits: 15 means 15 or more", arguments: [1, 2, 14, 15, 16, 20])
    func failedNumber(number: Int) throws {
        let data = tlv("71", tlv("9F18", "00000001") + (0..<20).map { _ in tlv("86", Self.block) }.joined())
        let sent = (1...number).map { Self.sent(Self.block, $0 == number ? "6985" : "9000") }.joined()
        let nibble = hex([UInt8(min(number, 15))]).suffix(1)
        try Self.check(
            Self.approved(data, before: sent, tvr: "8000008020"), results: "1\(nibble)00000001", tvr: "8000008020")
    }

    @Test(
        "a script that cannot be read is not performed, not even its good commands",
        arguments: [
            // Too short, length byte too small and too large, more behind it.
            ("71", tlv("9F18", "00000001") + tlv("86", block) + tlv("86", "841800"), "00000001"),
            ("71", tlv("9F18", "00000001") + tlv("86", "8418000003AABB"), "00000001"),
            ("71", tlv("9F18", "00000001") + tlv("86", "8418000001AABBCC"), "00000001"),
            ("71", tlv("9F18", "00000001") + tlv("86", "8418000000AABB"), "00000001"),
            ("71", tlv("9F18", "00000001") + tlv("86", ""), "00000001"),
            // An identifier of another length is none, and the script cannot be named.
            ("71", tlv("9F18", "000001") + tlv("86", block), "00000000"),
            // Nothing to do.
            ("71", tlv("9F18", "00000001"), "00000001"), ("71", "", "00000000"),
            // A command that reaches beyond its script.
            ("71", "8620" + block, "00000000"),
        ])
    func malformed(template: String, value: String, id: String) throws {
        let before = tlv(template, value) + Self.script("71", id: "00000009", Self.put)
        try Self.check(
            Self.approved(before, before: Self.sent(Self.put), tvr: "8000008020"), results: "00\(id)" + "2000000009",
            tvr: "8000008020")
        let after = before.replacing("71", with: "72", maxReplacements: 1)
        try Self.check(
            Self.approved(after, before: Self.sent(Self.put)), results: "2000000009" + "00\(id)", tvr: "8000008010")
    }

    @Test("a script of the longest command is sent whole")
    func longest() throws {
        let command = "84DA0000FF" + String(repeating: "A5", count: 255) + "00"
        try Self.check(
            Self.approved(Self.script("71", command), before: Self.sent(command)), results: "2000000001")
    }

    @Test("beyond 4,096 bytes in all no script is carried out, and the host is told")
    func sizeCap() throws {
        let long = "84DA0000C8" + String(repeating: "5A", count: 200)
        // 7 + 19 x 208 = 3,959 bytes, then 7 + 15 and 7 + 208.
        let large = tlv("71", tlv("9F18", "00000001") + (0..<19).map { _ in tlv("86", long) }.joined())
        let small = Self.script("71", id: "00000002", Self.block)
        let data = large + small + Self.script("71", id: "00000003", long) + Self.script("71", id: "00000004", Self.put)
        let sent = (0..<19).map { _ in Self.sent(long) }.joined() + Self.sent(Self.block)
        let results = "2000000001" + "2000000002" + "0000000003" + "0000000004"
        try Self.check(
            Self.approved(data, before: sent, tvr: "8000008020"), results: results, tvr: "8000008020")
    }

    @Test("the limit holds for both phases together")
    func sizeCapAfter() throws {
        let long = "84DA0000C8" + String(repeating: "5A", count: 200)
        let large = tlv("72", tlv("9F18", "00000001") + (0..<20).map { _ in tlv("86", long) }.joined())
        let data = Self.script("71", id: "00000002", Self.block) + large + Self.script("72", id: "00000003", Self.put)
        // 22 and 7 + 20 x 208 = 4,167 bytes: the large one is over the limit, and with it the last.
        let text = Self.approved(data, before: Self.sent(Self.block))
        try Self.check(text, results: "2000000002" + "0000000001" + "0000000003", tvr: "8000008010")
    }

    @Test("scripts come with a decline, too")
    func declined() throws {
        let second = KernelCard.second(
            "00", code: "3035", authentication: Self.noAuthentication, tvr: "8000008000", tsi: "6C00")
        let data = Self.script("71", Self.update) + Self.script("72", id: "00000002", Self.block)
        let text =
            KernelCard().reading + """
                80AE8000* < \(KernelCard.arqc)9000
                host 05 no \(data)
                \(Self.sent(Self.update))\(second) < \(KernelCard.cryptogram("00"))9000
                \(Self.sent(Self.block))
                """
        try Self.check(text, results: "2000000001" + "2000000002", .declinedByIssuer)
    }

    @Test("a card that refuses the approval still gets its scripts", arguments: [KernelCard.cryptogram("00"), ""])
    func refused(answer: String) throws {
        let text =
            KernelCard().reading + """
                80AE8000* < \(KernelCard.arqc)9000
                host 00 yes \(Self.script("72", Self.block))
                80AE4000* < \(answer)9000
                \(Self.sent(Self.block))
                """
        try Self.check(text, results: "2000000001", .declinedByCardAfterApproval)
    }

    @Test("issuer authentication comes first, scripts second, the cryptogram last")
    func order() throws {
        let authentication = "11223344556677883030"
        let second = KernelCard.second(
            "40", code: "3030", authentication: authentication, tvr: "8000008060", tsi: "7C00")
        let text =
            KernelCard().reading + """
                80AE8000* < \(KernelCard.arqc)9000
                host 00 yes \(Self.script("71", Self.block))\(tlv("91", authentication))
                008200000A\(authentication) < 6300
                \(Self.sent(Self.block, "6988"))\(second) < \(Self.tc)
                """
        try Self.check(text, results: "1100000001", tvr: "8000008060", tsi: "7C00")
    }

    @Test("a card that breaks off during a script refuses an approval before its end, and keeps one after it")
    func brokenOff() throws {
        let ask = KernelCard().reading + "80AE8000* < \(KernelCard.arqc)9000\n"
        let before = Self.script("71", Self.block)
        #expect(
            try replay(ask + "host 00 yes \(before)\n\(Self.sent(Self.block, "0000"))").outcome
                == .declinedByCardAfterApproval)
        #expect(
            try replay(ask + "host 05 no \(before)\n\(Self.sent(Self.block, "0000"))").outcome == .declinedByIssuer)
        let after = "host 00 yes \(Self.script("72", Self.block))\n80AE40* < \(Self.tc)\n"
        #expect(try replay(ask + after + Self.sent(Self.block, "0000")).outcome == .approved)
    }
}
