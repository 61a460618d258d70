import FoundationEssentials
import Testing

@testable import Configuration

@Suite struct JSONReaderTests {
    private static func read(_ text: String) throws(JSONSyntaxError) -> JSONNode {
        try JSONReader.read(Array(text.utf8))
    }

    @Test(
        "values are read as RFC 8259 has them",
        arguments: [
            ("null", .null), (" \t\r\n true ", .bool(true)), ("false", .bool(false)), ("-0", .number("-0")),
            ("10.25e+7", .number("10.25e+7")), ("1E400", .number("1E400")), (#""""#, .string("")),
            (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")), (#""\u00e9\uD83D\ude00""#, .string("é😀")),
            ("\"é😀\u{7F}\"", .string("é😀\u{7F}")), ("[]", .array([])),
            ("[1, [2]]", .array([.number("1"), .array([.number("2")])])), ("{}", .object([])),
            (
                #"{"a":1,"a":{}}"#,
                .object([.init(key: "a", value: .number("1")), .init(key: "a", value: .object([]))])
            ),
            ("\u{FEFF}1", .number("1")),
        ] as [(String, JSONNode)])
    func values(text: String, node: JSONNode) throws {
        #expect(try Self.read(text) == node)
    }

    @Test(
        "a mistake is told by line and column, with what is expected",
        arguments: [
            ("", "line 1, column 1: a value is expected"), ("nul", "line 1, column 1: a value is expected"),
            ("truE", "line 1, column 1: a value is expected"), ("\u{0}", "line 1, column 1: a value is expected"),
            ("1\u{0}", "line 1, column 2: the end of the text is expected"),
            ("{}\n {}", "line 2, column 2: the end of the text is expected"),
            ("{\n\"é\" 1}", "line 2, column 5: a colon is expected"),
            ("{a:1}", "line 1, column 2: a key in quotation marks is expected"),
            (#"{"a":1,}"#, "line 1, column 8: a key in quotation marks is expected"),
            (#"{"a":1"#, "line 1, column 7: a comma or a closing brace is expected"),
            ("[1 2]", "line 1, column 4: a comma or a closing bracket is expected"),
            ("[1,]", "line 1, column 4: a value is expected"),
            ("01", "line 1, column 2: the end of the text is expected"),
            ("-", "line 1, column 2: a digit is expected"), ("1.", "line 1, column 3: a digit is expected"),
            ("1e+", "line 1, column 4: a digit is expected"), ("+1", "line 1, column 1: a value is expected"),
            (".5", "line 1, column 1: a value is expected"), ("NaN", "line 1, column 1: a value is expected"),
            (#""a"#, "line 1, column 3: a closing quotation mark is expected"),
            ("\"a\tb\"", "line 1, column 3: a control character in a text is expected as an escape"),
            (#""\x""#, "line 1, column 3: an escape is expected"),
            (#""\u12g4""#, "line 1, column 6: four hex digits are expected"),
            (#""\ud800""#, "line 1, column 8: a surrogate pair is expected"),
            (#""\udc00""#, "line 1, column 8: a surrogate pair is expected"),
            (#""\ud800\u0041""#, "line 1, column 14: a surrogate pair is expected"),
            ("'a'", "line 1, column 1: a value is expected"), ("// a", "line 1, column 1: a value is expected"),
        ])
    func mistakes(text: String, sentence: String) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try Self.read(text) }
        #expect(error.description == sentence)
    }

    @Test(
        "bytes that are no UTF-8 are refused in a text",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE9]])
    func invalidText(bytes: [UInt8]) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONReader.read([0x22] + bytes + [0x22]) }
        #expect(error.complaint == "a text in UTF-8 is expected")
    }

    @Test("nesting ends at 32 levels, however deep it goes on")
    func depth() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        #expect(throws: Never.self) { try Self.read(nested(32)) }
        let error = try #require(throws: JSONSyntaxError.self) { try Self.read(nested(33)) }
        #expect(error.description == "line 1, column 33: at most 32 levels of nesting are expected")
        let opened = String(repeating: #"{"a":["#, count: 100_000)
        #expect(throws: JSONSyntaxError.self) { try Self.read(opened) }
    }

    @Test("FoundationEssentials' decoder takes every text that is taken here")
    func judged() throws {
        struct Anything: Decodable {
            init(from decoder: any Decoder) throws {}
        }
        let decoder = JSONDecoder()
        var mutations = Mutations(of: try Files.example(), seed: 8259)
        var taken = 0
        for _ in 0..<1000 {
            let text = mutations.next()
            guard (try? JSONReader.read(text)) != nil else { continue }
            taken += 1
            #expect(throws: Never.self, "\(String(decoding: text, as: UTF8.self))") {
                try decoder.decode(Anything.self, from: Data(text))
            }
        }
        #expect(taken > 100)
    }
}
