import BERTLV
import Decoder
import Testing

/// Every code of a problem that `decode` names, by an input that has it. A new code needs an input here.
struct ReachedProblemTests {
    @Test(arguments: DecodeReport.Problem.Code.allCases)
    func `every code is reached`(code: DecodeReport.Problem.Code) {
        #expect(Self.codes(code).contains(code.rawValue), "\(Self.codes(code))")
    }

    private static func codes(_ code: DecodeReport.Problem.Code) -> [String] {
        switch code {
        case .tagTooLong: textDocument("9F8181818181818181810101FF", format: .tlv).codes
        case .tagTruncated: textDocument("9F", format: .tlv).codes
        case .lengthMissing: textDocument("9F26", format: .tlv).codes
        case .lengthTruncated: textDocument("9F2682", format: .tlv).codes
        case .indefiniteLength: textDocument("7080 5F340101 0000", format: .tlv).codes
        case .lengthInvalid: textDocument("9F26FF", format: .tlv).codes
        case .lengthOverrun: textDocument("9F2688 8000000000000000", format: .tlv).codes
        case .childOverrun: textDocument("61064F08A000000003101001", format: .tlv).codes
        case .valueTruncated: textDocument("9F26 0A 01", format: .tlv).codes
        case .tooDeep: textDocument(templates(64), format: .tlv).codes
        case .strictPadding: textDocument("9A03251130 0000 9C0100", format: .tlv, padding: .strict).codes
        case .dolMalformed: textDocument("8C059F02069F03", format: .tlv).codes
        case .wrongLength: textDocument("95020000", format: .tlv).codes
        case .invalidDigit: textDocument("9F 2G", format: .tlv).codes
        case .oddDigits: textDocument("9F2", format: .tlv).codes
        case .notAPDU: log("no command at all\n")
        case .lineTooLong: log(String(repeating: "0", count: (1 << 20) + 8))
        case .commandMissing: log("< 9000")
        case .commandLength: log("00B201140000 < 6F00")
        case .responseMissing: log("> 00B2011400")
        case .statusInvalid: log("> 00B2011400\n< 0000")
        // The card's PDOL asks for four bytes (9F66), the command has one.
        case .dolLength:
            log(
                "> 00A4040007A000000003101000\n< 6F11 84 07A0000000031010 A506 9F3803 9F6604 9000\n"
                    + "> 80A800000383010000\n< 6985")
        case .noise: textDocument("AABBCC 62000000000000000000", format: .ccid).codes
        case .frameBad: textDocument("80040000000000000000 6F00", format: .ccid).codes
        case .moreProblems: document((0..<4_000).map { $0 % 2 == 0 ? 0x9C : 0x00 }, format: .tlv).codes
        }
    }

    private static func log(_ text: String) -> [String] {
        document(Array(text.utf8), isText: true, format: .apdu).codes
    }

    /// Templates within each other, each with a length of two bytes behind 82, the innermost empty.
    private static func templates(_ count: Int) -> String {
        (0..<count).map { level in
            let length = String((count - 1 - level) * 4, radix: 16)
            return "7082" + String(repeating: "0", count: 4 - length.count) + length
        }.joined()
    }
}
