import BERTLV
import EMV
import FirmwareCores
import Money

/// A simulated card's answers in one approved transaction, recorded once, so that measuring the kernel measures nothing
/// of the card.
struct RecordedDialogue {
    let terminal: TerminalConfiguration
    let transaction: TransactionData
    private(set) var answers: [ResponseAPDU] = []

    struct Unusable: Error {
        let reason: String
    }

    /// What the issuer sends: an ARPC that the card is taken to accept, and a script for after the final cryptogram.
    private static let issuerData =
        encodeTLV(0x91, [UInt8](repeating: 0x11, count: 8) + Array("00".utf8))
        + encodeTLV(0x72, encodeTLV(0x86, [0x84, 0x18, 0x00, 0x00, 0x08] + [UInt8](repeating: 0x22, count: 8)))

    /// Plays the dialogue with the built-in card of this name and checks that it ends in an approval.
    init(card name: String) throws {
        guard let profile = CardProfile.named(name) else { throw Unusable(reason: "there is no card \(name)") }
        guard let amount = Amount(minorUnits: 115_00, currency: .mxn) else { throw Unusable(reason: "no amount") }
        var terminal = TerminalConfiguration.mexicanKiosk
        terminal.certificationAuthorityKeys = try .test()
        self.terminal = terminal
        transaction = TransactionData(
            amount: amount, time: TransactionTime(year: 2026, month: 11, day: 30, hour: 10, minute: 20, second: 30),
            unpredictableNumber: [0x11, 0x22, 0x33, 0x44], sequenceCounter: 42)
        let chip = EMVCardCore(profile: profile)
        guard chip.powerOn() != nil else { throw Unusable(reason: "the card is mute") }
        var kernel = ContactKernel(terminal: terminal, transaction: transaction)
        var step = kernel.start()
        while true {
            switch step {
            case .transmit(let command):
                // The card itself would find these two false.
                let isFromIssuer = command.ins == 0x82 || command.cla == 0x84
                let bytes = isFromIssuer ? [0x90, 0x00] : chip.transmit(command.bytes)
                guard let answer = ResponseAPDU(bytes: bytes) else { throw Unusable(reason: "the card is gone") }
                answers.append(answer)
                step = kernel.receive(answer)
            case .goOnline:
                step = kernel.hostAnswered(Self.approval)
            case .finished(.approved):
                // Byte 1 of the TVR: SDA, DDA or CDA failed. Then less was computed than the name promises.
                guard let results = kernel.value(of: 0x95), results[0] & 0x4C == 0 else {
                    throw Unusable(reason: "the card was not authenticated")
                }
                return
            case .finished(let outcome):
                throw Unusable(reason: "the dialogue ended otherwise: \(outcome)")
            case .chooseApplication, .askForPIN, .approveOffline:
                throw Unusable(reason: "the cardholder is asked")
            }
        }
    }

    private static let approval = HostAnswer.answered(
        responseCode: Array("00".utf8), isApproved: true, issuerData: issuerData)

    /// One whole transaction of the kernel; true when it is approved.
    func replay() -> Bool {
        var kernel = ContactKernel(terminal: terminal, transaction: transaction)
        var step = kernel.start()
        var next = 0
        while true {
            switch step {
            case .transmit:
                guard next < answers.count else { return false }
                step = kernel.receive(answers[next])
                next += 1
            case .goOnline:
                step = kernel.hostAnswered(Self.approval)
            case .finished(let outcome):
                kernel.wipe()
                return outcome == .approved && next == answers.count
            case .chooseApplication, .askForPIN, .approveOffline:
                return false
            }
        }
    }
}
