import BERTLV
import Crypto
import FirmwareCores
import Testing

@testable import EMV

/// EMV Book 2, 7, through the whole kernel: the simulated card with the PIN 1234 and the list 4403 4103 5E03 1F03.
@Suite struct EncipheredPINTests {
    private static let right = PINAnswer.block(SecretBytes(bytes("241234FFFFFFFFFF")))
    private static let wrong = PINAnswer.block(SecretBytes(bytes("241235FFFFFFFFFF")))
    /// Of the card's PIN key: 96 bytes less 17.
    private static let fillerLength = 79

    private static func dialogue(
        _ pins: [PINAnswer], verification: UInt8 = 0x98, fillers: Int = 3,
        change: CardDialogue.Change = CardDialogue.nothing
    ) throws -> CardDialogue {
        var transaction = try AuthenticatedCard.transaction()
        transaction.pinFiller = (0..<fillers * fillerLength).map { UInt8(truncatingIfNeeded: $0) }
        return try CardDialogue(
            try .simulated("pin-offline"), terminal: try CardDialogue.terminal(verification: verification),
            transaction: transaction, pins: pins, change: change)
    }

    private static func methods(_ dialogue: CardDialogue) -> [PINRequest.Method] { dialogue.requests.map(\.method) }

    @Test("the right PIN: challenge, VERIFY under the card's key")
    func rightPIN() throws {
        let dialogue = try Self.dialogue([Self.right])
        #expect(dialogue.outcome == .approved)
        #expect(dialogue.value(0x9F34) == "440302")
        #expect(dialogue.value(0x95) == "0000008000")
        #expect(dialogue.value(0x9B) == "E800")
        #expect(dialogue.requests == [PINRequest(method: .offlineEnciphered, triesLeft: 3, isRepeated: false)])
        #expect(dialogue.commands("84") == ["0084000000"])
        let verify = try #require(dialogue.commands("20").first)
        #expect(verify.hasPrefix("0020008860"))
        #expect(verify.count == 2 * (5 + 96))
    }

    @Test("a wrong PIN, then the right one: each with its own challenge and its own filler")
    func secondTry() throws {
        let dialogue = try Self.dialogue([Self.wrong, Self.right])
        #expect(dialogue.value(0x9F34) == "440302")
        #expect(dialogue.value(0x95) == "0000008000")
        #expect(
            dialogue.requests.last == PINRequest(method: .offlineEnciphered, triesLeft: 2, isRepeated: true))
        #expect(dialogue.commands("84").count == 2)
        #expect(Set(dialogue.commands("20")).count == 2)
    }

    @Test("three wrong PINs block it for the rule that would ask in clear, too")
    func blocked() throws {
        let dialogue = try Self.dialogue([Self.wrong, Self.wrong, Self.wrong])
        #expect(Self.methods(dialogue) == [.offlineEnciphered, .offlineEnciphered, .offlineEnciphered])
        #expect(dialogue.value(0x9F34) == "1F0302")
        #expect(dialogue.value(0x95) == "0000208000")
        #expect(dialogue.outcome == .approved)
    }

    @Test("without fresh filler no PIN is enciphered again")
    func noFiller() throws {
        let dialogue = try Self.dialogue([Self.wrong, Self.wrong, Self.right], fillers: 1)
        #expect(Self.methods(dialogue) == [.offlineEnciphered, .offlineEnciphered, .offlinePlaintext])
        #expect(dialogue.value(0x9F34) == "410302")
        #expect(dialogue.commands("20").filter { $0.hasPrefix("00200088") }.count == 1)
    }

    @Test("a terminal that only takes PINs in clear goes on to the next rule")
    func notOffered() throws {
        let dialogue = try Self.dialogue([Self.right], verification: 0x88)
        #expect(dialogue.value(0x9F34) == "410302")
        #expect(dialogue.commands("84").isEmpty)
    }

    @Test("a bypass counts for the PIN in clear, too")
    func bypassed() throws {
        let dialogue = try Self.dialogue([.bypassed])
        #expect(dialogue.value(0x9F34) == "1F0302")
        #expect(dialogue.value(0x95) == "0000088000")
    }

    @Test(
        "a key that cannot be trusted fails the method before anyone is asked",
        arguments: [0x9F2D, 0x9F2E, 0x90] as [BERTLV.Tag])
    func badKey(tag: BERTLV.Tag) throws {
        let dialogue = try Self.dialogue([Self.right], change: CardDialogue.oneBit(of: tag))
        #expect(Self.methods(dialogue) == [.offlinePlaintext])
        #expect(dialogue.value(0x9F34) == "410302")
    }

    @Test("a card that gives no challenge of eight bytes", arguments: ["6A81", "00112233445566 9000", "9000"])
    func noChallenge(answer: String) throws {
        let response = try #require(ResponseAPDU(bytes: bytes(answer)))
        let dialogue = try Self.dialogue([Self.right, Self.right]) { command, answer in
            if command.ins == 0x84 { answer = response }
        }
        #expect(Self.methods(dialogue) == [.offlineEnciphered, .offlinePlaintext])
        #expect(dialogue.value(0x9F34) == "410302")
    }

    @Test("a refused VERIFY fails the method; PINs in clear are another one")
    func refused() throws {
        let dialogue = try Self.dialogue([Self.right, Self.right]) { command, answer in
            if command.ins == 0x20, command.p2 == 0x88 { answer = ResponseAPDU(status: StatusWord(0x6A80)) }
        }
        #expect(dialogue.value(0x9F34) == "410302")
        #expect(dialogue.value(0x95) == "0000008000")
    }

    @Test("enciphered PIN and signature")
    func withSignature() throws {
        let change: CardDialogue.Change = { _, answer in
            guard let node = TLVTree(parsing: answer.data).firstNode(0x8E) else { return }
            answer.data[node.valueRange.lowerBound + 8] = 0x45
        }
        // A changed list breaks DDA, whose static data it is part of, and with it nothing but the TVR.
        let dialogue = try Self.dialogue([Self.right], verification: 0xB8, change: change)
        #expect(dialogue.value(0x9F34) == "450300")
        #expect(dialogue.value(0x95) == "0800008000")
    }
}
