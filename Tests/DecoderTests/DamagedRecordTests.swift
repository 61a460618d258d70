import BERTLV
import Decoder
import SeededInput
import Testing

@Suite("Masking of damaged records")
struct DamagedRecordTests {
    /// Records that hold a card number in the clear or under a tag that says so.
    static let records = [
        "7048 5A084761739001010119 57134761739001010119D22122011234512345678F 5F2403301231 5F340101 8C039F3704"
            + "9F0702FF00 8E0A00000000000000001F03 9F0D05B850AC8000",
        "7023 DF01084111111111111111 DF02054A4F484E20 9F080200 96 82025C00 94080801010010010200",
        "6F1F 84085413330089600044 A513 5004 56495341 8701 01 9F110101 9F1202 5649",
        "77 2B 9F270180 9F36020002 9F260828C1B1AE0414D78B 9F100706010A03A00000 5A0A6799998900000060018F",
        "70 81A9 90 8180 " + String(repeating: "C7A1EB93", count: 32)
            + " 57115555555555554444D30122011234500000 9F3201 03 9F4701 03 8F01 05",
        "9108 28C1B1AE0414D78B 5A084012888888881881 5F2403301231 72 04 86 02 0102",
        "E0 14 DF8101 10 35313035313035313035313035313030 5F340101", "5A085105105105105100 9A03251130 95050000048000",
        "50 10 34313131313131313131313131313131 4F07A0000000031010", "4761739001010119 9A03251130",
    ]
    static let numbers = [
        "4761739001010119", "4111111111111111", "5413330089600044", "5555555555554444", "4012888888881881",
        "5105105105105100", "6799998900000060018",
    ]
    /// The numbers as digits, packed in hex or text, and as the hex of their characters.
    private static let forms = numbers + numbers.map { $0.map { "3\($0)" }.joined() }

    @Test("no rendering of a damaged record shows its card number")
    func damaged() {
        var random = SeededNumbers(seed: 0x4D41_534B)
        for round in 0..<3000 {
            var record = bytes(Self.records[round % Self.records.count])
            let place = Int.random(in: 0..<record.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: record.remove(at: place)
            case 1: record.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 2: record[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            default: record[place] = UInt8.random(in: 0...255, using: &random)
            }
            let padding = TLVPadding.allCases[round / 2 % TLVPadding.allCases.count]
            for asJSON in [false, true] {
                let text = document(record, format: .tlv, padding: padding, asJSON: asJSON).text
                let packed = text.filter { $0 != " " && $0 != "-" }
                if let shown = Self.forms.firstIndex(where: { packed.contains($0) }) {
                    Issue.record(
                        "card number \(shown) is shown in round \(round), record \(round % Self.records.count)")
                }
            }
        }
    }

    @Test("the search for card numbers in damaged records finds them when a person asks")
    func damagedRevealed() {
        // The last one is no object; its tag and length are the number's beginning.
        for index in Self.records.indices.dropLast() {
            let text = document(bytes(Self.records[index]), format: .tlv, reveal: true, asJSON: true).text
            #expect(Self.forms.contains { text.contains($0) })
        }
    }
}
