/// Names by numeric code, found in lines of text `CODE NAME` without making strings. The text is compiled in.
struct CodeTable: Sendable {
    private let text: StaticString
    private let keyLength: Int
    /// For each code the place behind it in the text; 0 where there is none.
    private let places: [UInt16]

    static let currencies = CodeTable(currencyNamesData, keyLength: 3)
    static let countries = CodeTable(countryNamesData, keyLength: 3)
    static let categories = CodeTable(categoryNamesData, keyLength: 4)
    static let languages = CodeTable(languageNamesData, keyLength: 2)

    /// - Parameter keyLength: the digits or the two letters that begin a line.
    private init(_ text: StaticString, keyLength: Int) {
        self.text = text
        self.keyLength = keyLength
        var places = [UInt16](repeating: 0, count: keyLength == 2 ? 26 * 26 : keyLength == 3 ? 1000 : 10_000)
        text.withUTF8Buffer { bytes in
            var position = 0
            while position < bytes.count {
                let lineEnd = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                if position + keyLength < lineEnd {
                    let key = bytes[position..<position + keyLength].reduce(0) { key, byte in
                        keyLength == 2 ? key * 26 + Int(byte) - 0x61 : key * 10 + Int(byte) - 0x30
                    }
                    if places.indices.contains(key) { places[key] = UInt16(clamping: position + keyLength + 1) }
                }
                position = lineEnd + 1
            }
        }
        self.places = places
    }

    /// For a two-letter code in lower case; nil when it is none.
    static func key(_ first: UInt8, _ second: UInt8) -> Int? {
        guard (0x61...0x7A).contains(first), (0x61...0x7A).contains(second) else { return nil }
        return (Int(first) - 0x61) * 26 + Int(second) - 0x61
    }

    /// Lends what stands behind the code on its line; nil for a code that is not in the table.
    func withLine<Result>(of key: Int, _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Result) -> Result? {
        guard places.indices.contains(key), places[key] > 0 else { return nil }
        return text.withUTF8Buffer { bytes in
            let start = Int(places[key])
            return body(bytes[start..<(bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count)])
        }
    }
}
