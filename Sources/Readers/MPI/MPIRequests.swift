import BERTLV
import EMV
import Money
import ReaderWire

/// The commands that carry a payment. Their objects stand in E0, the vendor's "command data".
enum MPIRequests {
    /// DE D1: the slot.
    static func start(_ payment: ReaderPayment) -> MPICommand { command(0xD1, objects(payment)) }

    /// DE C1: a contactless card.
    static func startContactless(_ payment: ReaderPayment) -> MPICommand { command(0xC1, objects(payment)) }

    /// DE D2 with the issuer's answer; nil when it is longer than one command carries.
    static func proceed(_ answer: HostAnswer) -> MPICommand? {
        let content = encodeTLV(0xE0, answer.objectsForReader)
        return content.count <= 255 ? MPICommand(cla: 0xDE, ins: 0xD2, data: content) : nil
    }

    /// DE D2 with the place of an application in C0, the vendor's "decision".
    static func choose(_ index: Int) -> MPICommand {
        command(0xD2, encodeTLV(0xC0, [UInt8(truncatingIfNeeded: index)]))
    }

    /// D2 01: a text of the reader's own, by its number (VIPA: 0D asks for a card).
    static func displayScreen(_ number: UInt8, backlight: Bool = true) -> MPICommand {
        MPICommand(cla: 0xD2, ins: 0x01, p1: number, p2: backlight ? 1 : 0)
    }

    /// D2 01: a text in ASCII, at most 255 characters.
    static func displayText(_ text: String, backlight: Bool = true) -> MPICommand {
        MPICommand(cla: 0xD2, ins: 0x01, p1: 0, p2: backlight ? 1 : 0, data: Array(text.utf8.prefix(255)))
    }

    private static func command(_ instruction: UInt8, _ objects: [UInt8]) -> MPICommand {
        MPICommand(cla: 0xDE, ins: instruction, data: encodeTLV(0xE0, objects))
    }

    private static func objects(_ payment: ReaderPayment) -> [UInt8] {
        encodeTLV(0x9F02, payment.amount.bcd12) + encodeTLV(0x9A, payment.time.dateBCD)
            + encodeTLV(0x9F21, payment.time.timeBCD) + encodeTLV(0x9C, [payment.kind.rawValue])
            + encodeTLV(0x5F2A, payment.currencyCode)
    }
}
