import ISO8583
import SeededInput

/// Messages for tests that need many.
enum SampleMessage {
    /// One field of every kind and length prefix, in both halves of the bitmap.
    static let full: Message = {
        var message = Message(.financialRequest)
        let texts = [
            2: "6799998900000060018", 3: "000000", 4: "000000011500", 11: "000123", 22: "051", 23: "001", 27: "6",
            28: "C00000100", 32: "12345", 35: "4761739001010119=2512", 37: "ABC000000123", 39: "00", 41: "KIOSK001",
            43: "READERKIT KIOSK        CIUDAD DE MEX  MX", 44: "Banco", 48: "private ~ data",
            54: "0044484C000000001500",
            70: "301", 90: "020000012311301200000000000000000000000000", 99: "1", 120: "more", 127: "",
        ]
        for (number, text) in texts { message.set(number, text) }
        for (number, count) in [(52, 8), (55, 200), (64, 8), (128, 8)] {
            message.set(number, [UInt8](repeating: UInt8(number), count: count))
        }
        return message
    }()

    /// Some of its fields.
    static func part(using numbers: inout SeededNumbers) -> Message {
        var message = full
        for number in full.fields.keys.sorted() where Bool.random(using: &numbers) { message[number] = nil }
        return message
    }
}
