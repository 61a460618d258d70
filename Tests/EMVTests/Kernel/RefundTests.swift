import BERTLV
import EMV
import Testing

/// A refund with the chip (EMVCo, Recommendations for EMV Processing for Industry-Specific Transaction Types, 3.5): the card
/// is read and ended with an AAC, which is no decline.
@Suite struct RefundTests {
    private static func refund() throws -> TransactionData {
        var transaction = try Replay.transaction()
        transaction.type = .refund
        transaction.isForcedOnline = true
        return transaction
    }

    /// A card that would ask for everything: PIN, velocity, EXTERNAL AUTHENTICATE.
    private static var card: KernelCard {
        var card = KernelCard()
        card.objects["8E"] = VerifiedDialogue.noAmounts + "0100"
        card.objects["9F14"] = "00"
        card.objects["9F23"] = "00"
        card.objects["5F24"] = "200101"
        return card
    }

    private static let ask = KernelCard.first("00", tvr: "8000000000", cvm: "3F0000").replacing(
        "26113000", with: "26113020")

    @Test("no verification, no risk management, an AAC, and the card is identified")
    func identified() throws {
        var terminal = Replay.terminal()
        terminal.capabilities = try #require(TerminalCapabilities(bytes: bytes("60F8C8")))
        let replay = try replay(
            Self.card.reading + "\(Self.ask) < \(KernelCard.cryptogram("00"))9000", terminal: terminal,
            transaction: try Self.refund())
        #expect(replay.outcome == .identified)
        #expect(replay.requests.isEmpty)
        #expect(replay.value(0x9F34) == "3F0000")
        #expect(replay.value(0x95) == "8000000000")
        #expect(replay.value(0x9B) == "2000")
        #expect(replay.value(0x9C) == "20")
        #expect(replay.kernel.onlineValue(of: 0x5A) == bytes("4761739001010119"))
        #expect(replay.kernel.onlineValue(of: 0x9F27) == [0x00])
        #expect(!replay.kernel.hasAuthorisationRequestCryptogram)
    }

    @Test("the card's reason for its AAC does not matter", arguments: ["01", "02", "08", "0F"])
    func reasons(information: String) throws {
        let text = Self.card.reading + "\(Self.ask) < \(KernelCard.cryptogram(information))9000"
        #expect(try replay(text, transaction: try Self.refund()).outcome == .identified)
    }

    @Test(
        "a card that answers above the AAC, or not at all, is not identified",
        arguments: [
            KernelCard.cryptogram("40") + "9000", KernelCard.arqc + "9000", "9000", "6985", "0000",
        ])
    func faults(answer: String) throws {
        let replay = try replay(Self.card.reading + "\(Self.ask) < \(answer)", transaction: try Self.refund())
        guard case .cardError(let fault) = replay.outcome else {
            Issue.record("it was identified")
            return
        }
        #expect(fault.stage == .firstGenerateAC)
    }

    @Test(
        "a card that signs is neither authenticated nor asked for a signature",
        arguments: ["visa-dda", "mastercard-cda"])
    func withoutAuthentication(name: String) throws {
        var transaction = try AuthenticatedCard.transaction()
        transaction.type = .refund
        let dialogue = try CardDialogue(
            try .simulated(name), terminal: try CardDialogue.terminal(), transaction: transaction)
        #expect(dialogue.outcome == .identified)
        #expect(dialogue.value(0x95) == "8000000000")
        #expect(dialogue.value(0x9B) == "2000")
        #expect(dialogue.commands("88").isEmpty)
        #expect(dialogue.commands("AE").map { $0.prefix(8) } == ["80AE0000"])
        #expect(!dialogue.wentOnline)
    }
}
