import AppToApp
import SeededInput
import Testing

/// Requests and replies as URLs against `requests.py`, which follows the same rule by other means.
@Suite(.judged) struct RequestURLJudgeTests {
    struct Question: Encodable {
        let url: String
        let values: [String]
    }

    struct Answer: Decodable {
        let pairs: [[String?]]?
        let encoded: [String]
    }

    @Test("10,000 random URLs are taken apart, and their values encoded, as Python does it")
    func random() async throws {
        var numbers = SeededNumbers(seed: 0xB111)
        let questions = (0..<10_000).map { RandomURL(&numbers, number: $0).question }
        let answers: [Answer] = try await Judge(program: "requests.py").answers(to: questions)
        var broken = 0
        for (index, (question, answer)) in zip(questions, answers).enumerated() {
            #expect(Self.bytes(question.values.map(PercentCoding.encode)) == Self.bytes(answer.encoded), "\(index)")
            let url = try URLParameters(parsing: question.url)
            guard let pairs = answer.pairs else {
                broken += 1
                #expect(!url.faults.isEmpty, "\(question.url)")
                continue
            }
            #expect(url.faults.isEmpty, "\(question.url)")
            #expect(Self.bytes(url.parameters.map(\.key)) == Self.bytes(pairs.map { $0[0] ?? "" }), "\(question.url)")
            #expect(url.parameters.map { $0.value == nil } == pairs.map { $0[1] == nil }, "\(question.url)")
            #expect(
                Self.bytes(url.parameters.map { $0.value ?? "" }) == Self.bytes(pairs.map { $0[1] ?? "" }),
                "\(question.url)")
        }
        #expect((100..<2_000).contains(broken))
    }

    @Test("1,000 random requests come back from their encoding as they were")
    func roundTrip() async throws {
        var numbers = SeededNumbers(seed: 0xB112)
        for _ in 0..<1_000 {
            let values = ["identifier", "reference", "email"].map { ($0, RandomURL.text(&numbers, 1...40)) }
            let pairs =
                (values + [("transaction", "venta"), ("usertoken", "T"), ("amount", "1.00"), ("urlScheme", "a")])
                .shuffled(using: &numbers)
            let url =
                "billpocket://" + pairs.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&")
            guard case .call(let call) = try AppCall.read(url) else {
                Issue.record("\(url)")
                continue
            }
            for (key, value) in values {
                let echo = ReplyKey(rawValue: key).flatMap { call.echo[$0] }
                #expect(echo.map { Array($0.utf8) } == Array(value.utf8), "\(url)")
            }
            #expect(throws: Never.self) { try call.request.get() }
        }
    }

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
}

/// A URL of random keys and values in random order, some of them raw, some encoded, a few broken.
private struct RandomURL {
    let question: RequestURLJudgeTests.Question

    private static let pieces = [
        "&", "%", "#", "(", ")", "/", "@", "+", "=", "ñ", "😀", "é", "e\u{301}", " ", "a", "Z", "0", "-", "_", ".", "~",
        "?",
        ":", "\"", "'", "\\", "\n", "\u{0}", "salón", "日本", "👩‍👩‍👧", "%26", "%zz",
    ]
    private static let keys = [
        "transaction", "usertoken", "identifier", "amount", "urlScheme", "transactionId", "tip", "msi", "reference",
        "email", "phone", "result", "statusinfo", "bp_version",
    ]
    private static let starts = [
        "billpocket://", "billpocket://?", "Billpocket://", "myapp://", "https://kiosk.example/r?",
        "http://kiosk.example/a?b=c&", "https://kiosk.example", "x+y-z.1://",
    ]

    init(_ numbers: inout SeededNumbers, number: Int) {
        var values: [String] = []
        var pieces: [String] = []
        for _ in 0..<Int.random(in: 0...8, using: &numbers) {
            let value = Self.text(&numbers, 0...12)
            values.append(value)
            let isOdd = Int.random(in: 0..<4, using: &numbers) == 0
            let key = isOdd ? Self.text(&numbers, 0...4) : Self.keys.randomElement(using: &numbers) ?? ""
            let text = PercentCoding.encode(key) + "=" + Self.written(value, &numbers)
            pieces.append(Int.random(in: 0..<12, using: &numbers) == 0 ? PercentCoding.encode(key) : text)
        }
        // A few URLs hold something broken.
        if number % 10 == 0 {
            let broken = ["50%", "%zz", "%FF", "a=%C3", "%E2%82=1", "b=%4"].randomElement(using: &numbers) ?? ""
            pieces.insert(broken, at: Int.random(in: 0...pieces.count, using: &numbers))
        }
        let start = Self.starts.randomElement(using: &numbers) ?? ""
        let separator = Int.random(in: 0..<8, using: &numbers) == 0 ? "&&" : "&"
        question = RequestURLJudgeTests.Question(url: start + pieces.joined(separator: separator), values: values)
    }

    static func text(_ numbers: inout SeededNumbers, _ count: ClosedRange<Int>) -> String {
        (0..<Int.random(in: count, using: &numbers)).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined()
    }

    /// As a careful sender writes it, or as a careless one: only what would be misread is escaped, in lower case.
    private static func written(_ value: String, _ numbers: inout SeededNumbers) -> String {
        if Bool.random(using: &numbers) { return PercentCoding.encode(value) }
        return String(
            String.UnicodeScalarView(
                value.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                    switch scalar {
                    case "&": Array("%26".unicodeScalars)
                    case "%": Array("%25".unicodeScalars)
                    case "\u{0}": Array("%00".unicodeScalars)
                    case "é": Array("%c3%a9".unicodeScalars)
                    default: [scalar]
                    }
                }))
    }
}
