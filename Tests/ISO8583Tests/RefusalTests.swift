import ISO8583
import Testing

/// What is not a message, and what cannot become one: the error names the field and the place.
@Suite struct RefusalTests {
    private func ascii() throws -> MessageCodec { MessageCodec(try .ascii) }

    private struct Damage {
        let text: String
        let error: ISO8583Error

        init(_ text: String, _ code: ISO8583Error.Code, field: Int? = nil, at offset: Int) {
            self.text = text
            error = ISO8583Error(code, field: field, offset: offset)
        }
    }

    private static let damages: [Damage] = [
        Damage("", .tooShort, at: 0),
        Damage("020", .tooShort, at: 0),
        Damage("02x04000000000000000", .messageType, at: 0),
        Damage("0200400000000000000", .tooShort, at: 4),
        Damage("0200G000000000000000", .bitmap, at: 4),
        Damage("02008000000000000000", .tooShort, at: 20),
        Damage("02004000000000000000", .tooShort, field: 2, at: 20),
        Damage("02004000000000000000x6", .lengthDigits, field: 2, at: 20),
        Damage("0200400000000000000020", .tooLong, field: 2, at: 20),
        Damage("0200400000000000000016123456789012345", .tooShort, field: 2, at: 22),
        Damage("020040000000000000000412a4", .character, field: 2, at: 22),
        Damage("02004000000000000000041234x", .trailingBytes, at: 26),
        Damage("020000000000000002000049F", .tooShort, field: 55, at: 23),
        Damage("02000000000000000200003ABC", .lengthDigits, field: 55, at: 20),
        Damage("020000000000000002000020G", .character, field: 55, at: 23),
        Damage("020080000000000000008000000000000000", .undefinedField, field: 65, at: 36),
    ]

    @Test("a damaged message is refused with field and offset")
    func decoding() throws {
        let codec = try ascii()
        for damage in Self.damages {
            #expect(throws: damage.error, "\(damage.text)") { _ = try codec.decode(Array(damage.text.utf8)) }
        }
    }

    @Test("a value that its field does not take is refused before anything is sent")
    func encoding() throws {
        let codec = try ascii()
        let cases: [(Int, FieldValue, ISO8583Error.Code)] = [
            (2, .text("12345678901234567890"), .tooLong), (3, .text("12345"), .wrongLength),
            (3, .text("12345x"), .character), (3, .text("٠٠٠٠٠٠"), .character), (37, .text("ABC-12345678"), .character),
            (43, .text(String(repeating: "ñ", count: 20)), .character), (55, .text("9F36"), .wrongKind),
            (41, .bytes([0x31]), .wrongKind), (64, .bytes([1, 2, 3]), .wrongLength),
            (55, .bytes([UInt8](repeating: 0, count: 256)), .tooLong), (65, .text("1"), .undefinedField),
            (28, .text("X00000100"), .character),
        ]
        for (field, value, code) in cases {
            var message = Message(.financialRequest)
            message[field] = value
            #expect(throws: ISO8583Error(code, field: field, offset: field > 64 ? 36 : 20)) {
                _ = try codec.encode(message)
            }
        }
    }

    @Test("fields outside of 2 to 128 cannot be set")
    func numbers() throws {
        var message = Message(.financialRequest)
        for number in [Int.min, -1, 0, 1, 129, Int.max] { message.set(number, "1") }
        #expect(message.fields.isEmpty)
    }

    @Test("no text form shows card data, PIN data or chip data")
    func descriptions() {
        var message = Message(.financialRequest)
        message.set(2, "4761739001010119")
        message.set(11, "000123")
        message.set(14, "2512")
        message.set(35, "4761739001010119=2512201")
        message.set(36, "4761739001010119=2512201")
        message.set(45, "B4761739001010119^TEST/CARD^2512201")
        message.set(48, "secret")
        message.set(52, octets("0123456789ABCDEF"))
        message.set(55, octets("5A084761739001010119"))
        var dumped = ""
        dump(message, to: &dumped)
        dump(message.fields, to: &dumped)
        let texts = ["\(message)", String(reflecting: message), dumped, "\(message.fields)"]
        for text in texts {
            for secret in ["4761739001010119", "2512", "TEST", "secret", "0119", "ABCDEF", "171"] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
        #expect(
            "\(message)" == "0200 2=(16 characters) 11=000123 14=(4 characters) 35=(24 characters) 36=(24 characters) "
                + "45=(35 characters) 48=(6 characters) 52=(8 bytes) 55=(10 bytes)")
    }

    @Test("errors say what, where and never the content")
    func errorTexts() {
        for code in ISO8583Error.Code.allCases {
            #expect("\(ISO8583Error(code, field: 2, offset: 20))".hasPrefix("Field 2, byte 20: "))
            #expect("\(ISO8583Error(code, offset: 20))".hasPrefix("Byte 20: "))
        }
    }
}
