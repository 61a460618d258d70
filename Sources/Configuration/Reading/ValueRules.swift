import BERTLV
import EMV
import Money

extension ValueRule where Value == Bool {
    static let flag = ValueRule("true or false is expected") { node in
        if case .bool(let value) = node { .value(value) } else { .refused(node.wasGiven) }
    }
}

extension ValueRule where Value == Int {
    /// A whole number, written without fraction and exponent.
    static func wholeNumber(_ range: ClosedRange<Int>, of unit: String? = nil) -> ValueRule {
        let noun = unit.map { "a whole number of \($0)" } ?? "a whole number"
        return ValueRule("\(noun), \(range.lowerBound) to \(range.upperBound), is expected") { node in
            guard case .number(let text) = node else { return .refused(node.wasGiven) }
            guard let number = Int(text) else { return .refused("another number was given") }
            return range.contains(number) ? .value(number) : .refused("a number out of range was given")
        }
    }
}

extension ValueRule where Value == String {
    /// Any text without control characters; Unicode scalars are counted.
    static func line(_ count: ClosedRange<Int>) -> ValueRule {
        text("a text of \(words(count, "character")) is expected") { text in
            guard count.contains(text.unicodeScalars.count) else {
                return .refused(given(text.unicodeScalars.count, "character"))
            }
            guard !text.unicodeScalars.contains(where: FieldPath.steers) else {
                return .refused("one with control characters was given")
            }
            return .value(text)
        }
    }

    /// Letters, digits and signs of ASCII, spaces inside: what the formats an and ans of EMV hold (Book 3, 4.3).
    static func ascii(_ count: ClosedRange<Int>) -> ValueRule {
        text("a text of \(words(count, "ASCII character")) is expected") { text in
            guard count.contains(text.unicodeScalars.count) else {
                return .refused(given(text.unicodeScalars.count, "character"))
            }
            guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                return .refused("other characters were given")
            }
            return .value(text)
        }
    }

    /// Digits of ASCII.
    static func digits(_ count: Int) -> ValueRule {
        text("a text of \(count) digits is expected") { text in
            guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
                return .refused("other characters were given")
            }
            return text.utf8.count == count ? .value(text) : .refused(given(text.utf8.count, "digit"))
        }
    }

    static let absolutePath = text("the path of a file, from / on, is expected") { text in
        guard text.utf8.first == UInt8(ascii: "/") else { return .refused("a text without / at its start was given") }
        guard text.utf8.count <= 1024, !text.unicodeScalars.contains(where: FieldPath.steers) else {
            return .refused("one that is too long or has control characters was given")
        }
        return .value(text)
    }

    static func words(_ count: ClosedRange<Int>, _ noun: String) -> String {
        count.lowerBound == count.upperBound
            ? "\(count.lowerBound) \(noun)s" : "\(count.lowerBound) to \(count.upperBound) \(noun)s"
    }
}

extension ValueRule where Value == [UInt8] {
    /// Bytes as hexadecimal text.
    static func bytes(_ count: ClosedRange<Int>) -> ValueRule {
        let least = count.lowerBound
        let words =
            least == count.upperBound
            ? "\(least) byte\(least == 1 ? "" : "s") as \(2 * least) hex digits are expected"
            : "\(least) to \(count.upperBound) bytes as hex digits are expected"
        return text(words) { text in
            guard let digits = HexText.digits(text) else { return .refused("other characters were given") }
            guard digits.count % 2 == 0, count.contains(digits.count / 2) else {
                return .refused(given(digits.count, "digit"))
            }
            return .value(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
        }
    }

    static func bytes(_ count: Int) -> ValueRule { bytes(count...count) }

    /// A data object list (Book 3, 5.4): tags and lengths in hexadecimal.
    static let dataObjectList = bytes(0...252).mapped(
        "a data object list as hex digits is expected", refusedAs: "hex digits that are none were given"
    ) { bytes in
        (try? DataObjectList(parsing: bytes)) == nil ? nil : bytes
    }
}

extension ValueRule where Value == Amount {
    /// - Parameter maximum: minor units.
    static func amount(_ currency: Currency, atMost maximum: Int64 = Amount.maximumMinorUnits) -> ValueRule {
        let largest = Amount(minorUnits: maximum, currency: currency) ?? .zero(currency)
        return text("an amount as text, \"0.00\" to \"\(largest)\", is expected") { text in
            guard let amount = try? Amount(parsing: text, currency: currency) else {
                return .refused("a text of another form was given")
            }
            return amount.minorUnits <= maximum ? .value(amount) : .refused("more was given")
        }
    }
}

func given(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun) was given" : "\(count) \(noun)s were given"
}
