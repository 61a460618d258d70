import Decoder
import Testing

@Suite("Hex input")
struct HexInputTests {
    @Test("ignores white space, colons and case", arguments: ["9F260A", "9f 26\n0a\t", "9F:26:0a\r\n", "9 F 2 6 0 A"])
    func reads(_ text: String) {
        #expect(HexInput.parse(text).bytes == [0x9F, 0x26, 0x0A])
        #expect(HexInput.parse(text).problem == nil)
    }

    @Test(
        "tells where it goes wrong and keeps what came before",
        arguments: [
            ("9F2", [0x9F], "oddDigits", 3), ("9F 2G", [0x9F], "invalidDigit", 4), ("x", [], "invalidDigit", 0),
            ("9F26é", [0x9F, 0x26], "invalidDigit", 4),
        ] as [(String, [UInt8], String, Int)])
    func faults(_ text: String, _ bytes: [UInt8], _ code: String, _ offset: Int) {
        let input = HexInput.parse(text)
        #expect(input.bytes == bytes)
        #expect(input.problem?.code.rawValue == code)
        #expect(input.problem?.offset == offset)
    }
}
