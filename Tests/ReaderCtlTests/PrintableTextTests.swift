import Testing

@testable import readerctl

@Suite struct PrintableTextTests {
    @Test(
        "an error is one line that cannot steer a terminal",
        arguments: [
            ("It is 'ñ😀'.", "It is 'ñ😀'."), ("a\nb", "a\u{FFFD}b"), ("a\r\nb", "a\u{FFFD}\u{FFFD}b"),
            ("\u{1B}[2J", "\u{FFFD}[2J"), ("\u{0}\u{7F}\u{9B}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("\u{202E}\u{2028}\u{2029}", "\u{FFFD}\u{FFFD}\u{FFFD}"), ("", ""),
        ])
    func oneLine(sentence: String, line: String) {
        #expect(Array(sentence.printable().utf8) == Array(line.utf8))
    }

    @Test("line feeds stay where they are wanted, and nothing else does")
    func lines() {
        #expect("a\n\tb\u{1B}\n".printable(keepsLines: true) == "a\n\u{FFFD}b\u{FFFD}\n")
    }
}
