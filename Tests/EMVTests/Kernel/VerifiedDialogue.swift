import BERTLV
import EMV
import Money
import Testing

/// A transaction up to its first GENERATE AC, which the card answers with an AAC, to see what cardholder verification
/// left behind.
struct VerifiedDialogue {
    /// Tag 8E.
    var list: String
    /// Tag 9F33, byte 2: 80 plaintext PIN, 40 online PIN, 20 signature, 10 enciphered PIN, 08 no CVM.
    var capabilities: UInt8 = 0x08
    /// What happens between the record and GENERATE AC, as lines of a transcript.
    var steps = ""
    var objects: [String: String] = [:]
    /// Tag 9F35.
    var terminalType: UInt8 = 0x24
    var type = TransactionType.goodsOrServices
    var minorUnits: Int64 = 11_500

    static let noAmounts = "0000000000000000"
    /// GET DATA 9F17 that answers with this many tries.
    static func tries(_ number: Int) -> String { "80CA9F1700 < 9F1701\(hex([UInt8(number)]))9000\n" }
    /// The PIN 1234 and the card's answer to VERIFY.
    static func pin(_ status: String) -> String {
        "pin block 241234FFFFFFFFFF\n0020008008241234FFFFFFFFFF < \(status)\n"
    }

    func replay(sourceLocation: SourceLocation = #_sourceLocation) throws -> Replay {
        var card = KernelCard()
        card.objects.merge(objects) { $1 }
        card.objects["8E"] = list
        var terminal = Replay.terminal()
        terminal.capabilities = try #require(TerminalCapabilities(bytes: [0x60, capabilities, 0xC8]))
        terminal.terminalType = try #require(TerminalType(code: terminalType))
        var transaction = try Replay.transaction(minorUnits)
        transaction.type = type
        let text = "\(card.reading)\(steps)\n80AE80* < \(KernelCard.cryptogram("00"))9000"
        return try EMVTests.replay(
            text, terminal: terminal, transaction: transaction, sourceLocation: sourceLocation)
    }

    /// 9F34, byte 3 of the TVR and the TSI must be these, and so must what the card was told.
    @discardableResult
    func expect(
        _ results: String, third: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Replay {
        let replay = try replay(sourceLocation: sourceLocation)
        #expect(replay.value(0x9F34) == results, sourceLocation: sourceLocation)
        #expect(replay.value(0x95) == "8000\(third)8000", sourceLocation: sourceLocation)
        #expect(replay.value(0x9B) == "6800", sourceLocation: sourceLocation)
        let told = "8000\(third)80000484261130" + hex([type.rawValue]) + "10203011223344" + results
        let sent = try #require(replay.commands.last, sourceLocation: sourceLocation)
        #expect(sent.contains(told), sourceLocation: sourceLocation)
        return replay
    }
}
