import BERTLV
import Crypto
import Testing

@testable import EMV
@testable import FirmwareCores

/// A good dialogue to be damaged: the card's answers in order, and what the others would do.
struct FuzzedDialogue: Sendable {
    let answers: [[UInt8]]
    var terminal = Replay.terminal()
    /// What the issuer sends for the card.
    var issuerData: [UInt8] = []
    var transaction: TransactionData

    static func all() throws -> [FuzzedDialogue] {
        try [
            FuzzedDialogue(KernelCard().approved), FuzzedDialogue(KernelCard().approvedWithoutAuthentication),
            directory(asks: false), directory(asks: true), plaintextPIN(), scripts(),
            signed(.simulated("mastercard-cda"), CardDialogue.terminal()),
            signed(.approvingOffline(like: "mastercard-cda"), CardDialogue.offlineTerminal()),
            signed(.simulated("visa-dda"), CardDialogue.terminal(methods: 0xC0)),
            signed(.simulated("pin-offline"), CardDialogue.terminal(verification: 0xF8)),
            signed(.simulated("mastercard-cda"), lateSignature()),
            signed(.simulated("mastercard-cda"), withoutLine()),
        ]
    }

    private init(_ text: String) throws {
        answers = Transcript(text).steps.compactMap { step in
            guard case .exchange(_, let answer) = step else { return nil }
            return answer
        }
        transaction = try Replay.transaction()
    }

    private init(answers: [[UInt8]], terminal: TerminalConfiguration, transaction: TransactionData) {
        self.answers = answers
        self.terminal = terminal
        self.transaction = transaction
    }

    private static func directory(asks: Bool) throws -> FuzzedDialogue {
        let aids = ["A0000000031010", "A0000000032010", "A0000000032020"]
        let record = tlv("70", aids.map { tlv("61", tlv("4F", $0), tlv("87", "81")) }.joined())
        var dialogue = try FuzzedDialogue(
            """
            \(ApplicationSelectionTests.directory) < \(ApplicationSelectionTests.directoryFCI)9000
            00B2010C00 < \(asks ? record : ApplicationSelectionTests.listed)9000
            00B2020C00 < 6A83
            \(KernelCard().approved.split(separator: "\n").dropFirst(2).joined(separator: "\n"))
            """)
        if asks { dialogue.terminal = ApplicationSelectionTests.terminal }
        dialogue.terminal.asksForApplication = asks
        return dialogue
    }

    /// Two PINs that the card checks, then velocity checking.
    private static func plaintextPIN() throws -> FuzzedDialogue {
        var card = KernelCard()
        card.objects["8E"] = VerifiedDialogue.noAmounts + "410043004200" + "5E001F00"
        card.objects["9F14"] = "03"
        card.objects["9F23"] = "05"
        let steps = """
            80CA9F1700 < 9F1701039000
            00200080* < 63C2
            00200080* < 9000
            80CA9F3600 < 9F360200129000
            80CA9F1300 < 9F130200109000

            """
        let end = KernelCard().approved.split(separator: "\n").dropFirst(5).joined(separator: "\n")
        var dialogue = try FuzzedDialogue(card.reading + steps + end)
        dialogue.terminal.capabilities = try #require(TerminalCapabilities(bytes: bytes("60F8C8")))
        return dialogue
    }

    private static func scripts() throws -> FuzzedDialogue {
        let command = tlv("86", "84160000080102030405060708")
        var dialogue = try FuzzedDialogue(
            KernelCard().reading + """
                80AE8000* < \(KernelCard.arqc)9000
                00820000* < 9000
                8416* < 9000
                8416* < 6283
                8416* < 6985
                80AE4000* < \(KernelCard.cryptogram("40"))9000
                8416* < 9000
                8416* < 9000
                """)
        dialogue.issuerData = bytes(
            tlv("91", "11223344556677883030") + tlv("71", tlv("9F18", "00000001"), command, command, command)
                + tlv("72", command) + tlv("72", tlv("9F18", "00000002"), command))
        return dialogue
    }

    /// Asks for a signature with the final TC only.
    private static func lateSignature() throws -> TerminalConfiguration {
        var terminal = try CardDialogue.terminal()
        terminal.combinedDataRequestMode = .final
        return terminal
    }

    /// Asked for a TC the card wants an issuer that this terminal cannot reach.
    private static func withoutLine() throws -> TerminalConfiguration {
        var terminal = try CardDialogue.offlineTerminal()
        terminal.terminalType = .unattendedOfflineOnly
        return terminal
    }

    /// A dialogue with a simulated card.
    private static func signed(_ card: EMVCardCore, _ terminal: TerminalConfiguration) throws -> FuzzedDialogue {
        var transaction = try AuthenticatedCard.transaction()
        transaction.pinFiller = [UInt8](repeating: 0x5A, count: 3 * 79)
        let dialogue = try CardDialogue(
            card, terminal: terminal, transaction: transaction,
            pins: [.block(SecretBytes(bytes("241234FFFFFFFFFF")))])
        return FuzzedDialogue(
            answers: dialogue.answers.map(\.bytes), terminal: terminal, transaction: transaction)
    }
}
