import Testing

@testable import AppToApp

@Suite struct PercentCodingTests {
    /// Worked examples of the rule.
    static let examples = [
        ("Mesa 7 & café #5 (100%)/@", "Mesa%207%20%26%20caf%C3%A9%20%235%20%28100%25%29%2F%40"),
        ("1+1", "1%2B1"), ("a=b=c", "a%3Db%3Dc"), ("ñ😀", "%C3%B1%F0%9F%98%80"),
        ("AZaz09-._~", "AZaz09-._~"), ("", ""), ("\u{0}\u{7F}\n", "%00%7F%0A"),
    ]

    @Test("everything but the unreserved characters is escaped, in upper case, and comes back", arguments: examples)
    func encoding(text: String, encoded: String) throws {
        #expect(PercentCoding.encode(text) == encoded)
        #expect(try PercentCoding.decode(encoded.utf8) == text)
    }

    @Test(
        "what should have been escaped is taken as it is, and digits in either case",
        arguments: [("(a)/b@c:d+e=f#g", "(a)/b@c:d+e=f#g"), ("%c3%A9é", "éé"), ("%2526", "%26")])
    func liberal(encoded: String, text: String) throws {
        #expect(try PercentCoding.decode(encoded.utf8) == text)
    }

    @Test("a broken escape is an error", arguments: ["50%", "%", "%2", "%zz", "%2g", "%%20", "a%é"])
    func brokenEscapes(encoded: String) {
        #expect(throws: PercentCodingError.brokenEscape) { try PercentCoding.decode(encoded.utf8) }
    }

    @Test(
        "bytes that are not UTF-8 are an error: alone, overlong, surrogates, beyond Unicode, cut off",
        arguments: ["%FF", "%C3", "%C0%AF", "%ED%A0%80", "%F4%90%80%80", "%F0%9F%98", "%C3x"])
    func invalidUTF8(encoded: String) {
        #expect(throws: PercentCodingError.invalidUTF8) { try PercentCoding.decode(encoded.utf8) }
    }
}
