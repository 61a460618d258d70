import FoundationEssentials
import JSONText
import Testing

@Suite struct JSONWriterTests {
    private static let sample: JSONValue = .object([
        "z": 1, "a": [nil, true, false, -5, "x"], "empty": .object([]), "none": [],
        "nested": .object(["b": .object(["c": "d"])]),
    ])

    @Test("keys keep the order in which they were given")
    func order() {
        #expect(
            Self.sample.compactText
                == #"{"z":1,"a":[null,true,false,-5,"x"],"empty":{},"none":[],"nested":{"b":{"c":"d"}}}"#)
    }

    @Test("the indented form has two spaces a level, and nothing inside empty lists")
    func indented() {
        let expected = """
            {
              "z": 1,
              "a": [
                null,
                true,
                false,
                -5,
                "x"
              ],
              "empty": {},
              "none": [],
              "nested": {
                "b": {
                  "c": "d"
                }
              }
            }
            """
        #expect(Self.sample.indentedText == expected)
    }

    @Test(
        "texts are escaped as RFC 8259 asks, and otherwise left as UTF-8",
        arguments: [
            ("", #""""#), ("a\"b", #""a\"b""#), (#"a\b"#, #""a\\b""#), ("/", #""/""#), ("\n\r\t", #""\n\r\t""#),
            ("\u{0}\u{1}\u{8}\u{C}\u{1F}\u{7F}", #""\u0000\u0001\u0008\u000c\u001f\u007f""#), ("\r\n", #""\r\n""#),
            ("ñ😀\u{85}", "\"ñ😀\u{85}\""), ("e\u{301}", "\"e\u{301}\""),
            // Escapes at both ends and between characters of several bytes.
            ("\"ñ\u{1}\u{301} and more than a small text\\", "\"\\\"ñ\\u0001\u{301} and more than a small text\\\\\""),
        ])
    func escaping(text: String, json: String) {
        // Compared scalar by scalar: == takes a composed and a decomposed é for the same.
        #expect(Array(JSONValue.string(text).compactText.utf8) == Array(json.utf8))
    }

    @Test("keys are escaped like texts")
    func keys() {
        #expect(JSONValue.object([JSONValue.Member("a\"\n", 1)]).compactText == #"{"a\"\n":1}"#)
    }

    @Test("whole numbers are written in full", arguments: [0, -1, Int64.min, Int64.max])
    func integers(number: Int64) {
        #expect(JSONValue.integer(number).compactText == String(number))
    }

    @Test("an absent text is null")
    func optional() {
        #expect(JSONValue.optional(nil).compactText == "null")
        #expect(JSONValue.optional("a").compactText == "\"a\"")
    }

    @Test("another reader of JSON gets back what was written")
    func decoding() throws {
        struct Sample: Decodable, Equatable {
            let text: String
            let number: Int64
            let flag: Bool
            let list: [String?]
        }
        var text = (0..<0x250).compactMap(Unicode.Scalar.init).map(String.init).joined()
        text += "\u{2028}\u{2029}\u{FEFF}\u{FFFD}\u{10FFFF}😀"
        let value: JSONValue = .object([
            "text": .string(text), "number": .integer(.min), "flag": true, "list": [.string(text), nil],
        ])
        let expected = Sample(text: text, number: .min, flag: true, list: [text, nil])
        for json in [value.compactText, value.indentedText] {
            #expect(try JSONDecoder().decode(Sample.self, from: Data(json.utf8)) == expected)
        }
    }

    @Test("a document of one value needs no list around it")
    func scalars() {
        #expect(JSONValue.null.compactText == "null")
        #expect((true as JSONValue).compactText == "true")
        #expect(([] as JSONValue).compactText == "[]")
        #expect(JSONValue.object([]).indentedText == "{}")
    }
}
