import Testing

@testable import AppToApp

/// The parsing rule and its worked examples.
@Suite struct URLParametersTests {
    private static func pairs(_ text: String) throws -> [String] {
        try URLParameters(parsing: text).parameters.map { "\($0.key)=\($0.value ?? "(none)")" }
    }

    static let examples: [(String, [String])] = [
        (
            "billpocket://transaction=venta&usertoken=T&identifier=a%3Db&amount=100.00&urlScheme=myapp",
            ["transaction=venta", "usertoken=T", "identifier=a=b", "amount=100.00", "urlScheme=myapp"]
        ),
        ("billpocket://reference=a=b=c", ["reference=a=b=c"]),
        ("billpocket://reference=x%26result%3Daprobada", ["reference=x&result=aprobada"]),
        ("billpocket://reference=1+1", ["reference=1+1"]),
        (
            "billpocket://reference=Mesa%207%20%26%20%25%20%23%20(%20)%20/%20@%20sal%C3%B3n",
            ["reference=Mesa 7 & % # ( ) / @ salón"]
        ),
        ("billpocket://tip=&statusinfo=", ["tip=", "statusinfo="]),
        ("billpocket://?transaction=venta&a=b", ["transaction=venta", "a=b"]),
        ("billpocket://??a=b", ["?a=b"]),
        ("https://kiosk.example/r?result=aprobada&tip=1.00", ["result=aprobada", "tip=1.00"]),
        ("http://kiosk.example/r?a=b?c=d", ["a=b?c=d"]),
        ("https://kiosk.example/r", []),
        ("billpocket://a=b#c=d&e", ["a=b#c=d", "e=(none)"]),
        ("billpocket://&&a=b&&&c=d&", ["a=b", "c=d"]),
        ("billpocket://=x&=", ["=x", "="]),
        ("BillPocket://a%3Db=c%26d", ["a=b=c&d"]),
        ("billpocket://app", ["app=(none)"]),
        ("billpocket://", []),
        ("x+y-z.1://a=b", ["a=b"]),
    ]

    @Test("pairs are split first and decoded then", arguments: examples)
    func pairs(text: String, expected: [String]) throws {
        #expect(try Self.pairs(text) == expected)
    }

    @Test("a broken piece is told by its key, and the others stand")
    func faults() throws {
        let url = try URLParameters(parsing: "billpocket://a=1&reference=50%&%zz=1&b=%FF&c=2")
        #expect(url.parameters.map(\.key) == ["a", "c"])
        #expect(
            url.faults == [
                URLParameters.Fault(key: "reference", reason: .brokenEscape),
                URLParameters.Fault(key: nil, reason: .brokenEscape),
                URLParameters.Fault(key: "b", reason: .invalidUTF8),
            ])
    }

    @Test(
        "a text without scheme is none",
        arguments: [
            "", "billpocket", "billpocket:", "billpocket:/", "billpocket:a=b", "://a=b", "1a://b", "a b://c", "é://a",
        ])
    func noScheme(text: String) {
        #expect(throws: URLTextError.noScheme) { try URLParameters(parsing: text) }
    }

    @Test("64 KiB are read and one byte more is not")
    func size() throws {
        let start = "billpocket://reference="
        let fitting = start + String(repeating: "x", count: 65_536 - start.utf8.count)
        #expect(try URLParameters(parsing: fitting).parameters.first?.value?.count == 65_536 - start.utf8.count)
        #expect(throws: URLTextError.tooLong) { try URLParameters(parsing: fitting + "x") }
    }

    @Test("a mark of repaired bytes is refused, but its escape is a character like others")
    func damaged() throws {
        #expect(throws: URLTextError.damaged) { try URLParameters(parsing: "billpocket://a=\u{FFFD}") }
        #expect(try Self.pairs("billpocket://a=%EF%BF%BD") == ["a=\u{FFFD}"])
    }

    @Test("32,768 empty keys, escapes and separators are read without harm")
    func hostile() throws {
        for piece in ["&", "=&", "a&", "%", "%FF", "%26", "=", "?"] {
            let text = "billpocket://" + String(repeating: piece, count: 65_000 / piece.utf8.count)
            let url = try URLParameters(parsing: text)
            #expect(url.parameters.count + url.faults.count <= 65_000)
        }
    }
}
