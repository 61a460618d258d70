import BERTLV
import EMV
import Testing

/// Tag 98, TC Hash Value (EMV Book 3, 5.2.2 and Book 2, 8.1.1): SHA-1 over the data of a TDOL.
@Suite struct CertificateHashTests {
    /// SHA-1 of 000000011500 11223344, and of nothing.
    private static let amountAndNumber = "6ED5CA7216FA6D21CC873BEA6023B5AFB0F1C876"
    private static let nothing = "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709"
    private static let list = "9F02069F3704"

    private static func card(_ own: String?, cdol1: String = "98149505", cdol2: String = "8A02") -> KernelCard {
        var card = KernelCard()
        card.objects["97"] = own
        card.objects["8C"] = cdol1
        card.objects["8D"] = cdol2
        return card
    }

    private static func terminal(_ list: String) -> TerminalConfiguration {
        var entry = TerminalApplication.visa
        entry.defaultTDOL = bytes(list)
        return Replay.terminal([entry])
    }

    @Test("the card's own list")
    func ownList() throws {
        let text =
            Self.card(Self.list).reading
            + "80AE800019\(Self.amountAndNumber)800000800000 < \(KernelCard.cryptogram("00"))9000"
        let replay = try replay(text, terminal: Self.terminal("9F1A02"))
        #expect(replay.value(0x98) == Self.amountAndNumber)
        #expect(replay.value(0x95) == "8000008000")
    }

    @Test(
        "the terminal's default list, which the TVR tells, even an empty one",
        arguments: [(list, amountAndNumber), ("", nothing)])
    func defaultList(list: String, hash: String) throws {
        let text = Self.card(nil).reading + "80AE800019\(hash)800000808000 < \(KernelCard.cryptogram("00"))9000"
        let replay = try replay(text, terminal: Self.terminal(list))
        #expect(replay.value(0x95) == "8000008080")
        #expect(replay.kernel.onlineValue(of: 0x95) == bytes("8000008080"))
    }

    @Test("asked for by CDOL2 only, the default list shows in the TVR only then")
    func secondListOnly() throws {
        let text =
            Self.card(nil, cdol1: "9505", cdol2: "98149505").reading + """
                80AE800005800000800000 < \(KernelCard.arqc)9000
                host 00 yes
                80AE400019\(Self.amountAndNumber)800000808000 < \(KernelCard.cryptogram("40"))9000
                """
        let replay = try replay(text, terminal: Self.terminal(Self.list))
        #expect(replay.outcome == .approved)
        #expect(replay.value(0x95) == "8000008080")
        #expect(replay.kernel.onlineValue(of: 0x95) == bytes("8000008000"))
    }

    @Test("nothing is hashed that no list asks for")
    func notAskedFor() throws {
        let text =
            Self.card(nil, cdol1: "9505").reading
            + "80AE800005800000800000 < \(KernelCard.cryptogram("00"))9000"
        let replay = try replay(text, terminal: Self.terminal(Self.list))
        #expect(replay.value(0x98) == nil)
        #expect(replay.value(0x95) == "8000008000")
    }

    @Test("a list that is cut off gives no hash: the card gets zeros")
    func malformed() throws {
        let text =
            Self.card("9F02069F").reading
            + "80AE800019\(String(repeating: "0", count: 40))800000800000 < \(KernelCard.cryptogram("00"))9000"
        #expect(try replay(text).value(0x98) == nil)
    }
}
