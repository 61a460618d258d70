import ISO8583
import SeededInput

/// A message of random fields, each in the form that ISO 8583:1987 gives it.
enum RandomMessage {
    private static let digits = Array("0123456789")
    private static let printable = (UInt8(0x20)...0x7E).map { Character(Unicode.Scalar($0)) }
    private static let alphanumeric = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz ")

    private enum Kind { case number, track, text, code, bytes }

    /// Number, kind, least and largest length.
    private static let fields: [(Int, Kind, Int, Int)] = [
        (2, .number, 1, 19), (3, .number, 6, 6), (4, .number, 12, 12), (7, .number, 10, 10), (11, .number, 6, 6),
        (12, .number, 6, 6), (13, .number, 4, 4), (14, .number, 4, 4), (22, .number, 3, 3), (23, .number, 3, 3),
        (25, .number, 2, 2), (27, .number, 1, 1), (32, .number, 0, 11), (35, .track, 0, 37), (36, .track, 0, 104),
        (37, .code, 12, 12), (38, .code, 6, 6), (39, .code, 2, 2), (41, .text, 8, 8), (42, .text, 15, 15),
        (43, .text, 40, 40), (44, .text, 0, 25), (45, .text, 0, 76), (48, .text, 0, 200), (49, .number, 3, 3),
        (52, .bytes, 8, 8), (53, .number, 16, 16), (54, .code, 0, 120), (55, .bytes, 0, 255), (60, .text, 0, 150),
        (63, .text, 0, 99), (64, .bytes, 8, 8), (66, .number, 1, 1), (70, .number, 3, 3), (74, .number, 10, 10),
        (90, .number, 42, 42), (95, .code, 42, 42), (99, .number, 0, 11), (102, .text, 0, 28), (120, .text, 0, 60),
        (127, .text, 0, 60), (128, .bytes, 8, 8),
    ]

    static func make(using numbers: inout SeededNumbers) -> Message {
        let types = ["0100", "0110", "0200", "0210", "0220", "0230", "0400", "0420", "0421", "0430", "0500", "0800"]
        var message = Message(MessageType(types.randomElement(using: &numbers) ?? "") ?? .financialRequest)
        let share = Int.random(in: 1...5, using: &numbers)
        for (number, kind, least, most) in fields where Int.random(in: 0..<share, using: &numbers) == 0 {
            let count = Int.random(in: least...most, using: &numbers)
            switch kind {
            case .number: message.set(number, text(digits, count, &numbers))
            case .track: message.set(number, text(digits + ["="], count, &numbers))
            case .code: message.set(number, text(alphanumeric, count, &numbers))
            case .text: message.set(number, text(printable, count, &numbers))
            case .bytes:
                message.set(number, (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &numbers) })
            }
        }
        return message
    }

    private static func text(_ alphabet: [Character], _ count: Int, _ numbers: inout SeededNumbers) -> String {
        String((0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &numbers)] })
    }
}
