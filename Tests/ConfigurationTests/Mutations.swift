/// Changed copies of a text: bytes, cuts, and pieces that hurt readers of JSON. The same for the same seed.
struct Mutations {
    private let original: [UInt8]
    private var state: UInt64

    private static let pieces: [[UInt8]] =
        [
            [0x00], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xEF, 0xBB, 0xBF], [0x22], [0x5C], [0x5C, 0x22],
        ]
        + [
            "\\ud800", "\\udc00\\ud800", "\\u0000", "\u{202E}", "e\u{301}", "null", "true", "1e999999999", "-0", "{",
            "}",
            "[", "]", ",", ":", "{}", "[]", "\"\"", "99999999999999999999999999", "-9223372036854775809", "0.1",
            "\"gateway\":", "\"version\":1,", "//", String(repeating: "[", count: 40),
            String(repeating: "{\"a\":", count: 40), String(repeating: "9", count: 400),
        ].map { Array($0.utf8) }

    init(of original: [UInt8], seed: UInt64) {
        self.original = original
        state = seed
    }

    /// SplitMix64.
    private mutating func number(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }

    mutating func next() -> [UInt8] {
        var text = original
        for _ in 0...number(below: 3) {
            let place = number(below: text.count)
            switch number(below: 6) {
            case 0: text[place] = UInt8(number(below: 256))
            case 1: text[place] ^= 1 << number(below: 8)
            case 2: text.insert(contentsOf: Self.pieces[number(below: Self.pieces.count)], at: place)
            case 3: text.removeSubrange(place..<min(text.count, place + 1 + number(below: 8)))
            case 4: text.insert(contentsOf: text[place..<min(text.count, place + number(below: 60))], at: place)
            // A letter or digit becomes another: the text stays JSON, its values do not stay right.
            default:
                let letters = Array("0123456789abcdefXYZ".utf8)
                let marks = text.indices.filter { Character(Unicode.Scalar(text[$0])).isLetter && text[$0] < 0x80 }
                if let mark = marks.isEmpty ? nil : marks[number(below: marks.count)] {
                    text[mark] = letters[number(below: letters.count)]
                }
            }
            if text.isEmpty { return original }
        }
        return text
    }
}
