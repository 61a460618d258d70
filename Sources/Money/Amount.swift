/// An amount of money: a whole number of minor units (centavos) with its currency. Never negative, never more than the
/// twelve digits of EMV tag 9F02, never a floating-point number.
public struct Amount: Hashable, Sendable {
    /// 0 ... 999_999_999_999.
    public let minorUnits: Int64
    public let currency: Currency

    public static let maximumMinorUnits: Int64 = 999_999_999_999

    /// Nil when `minorUnits` is out of range.
    public init?(minorUnits: Int64, currency: Currency) {
        guard (0...Self.maximumMinorUnits).contains(minorUnits) else { return nil }
        self.minorUnits = minorUnits
        self.currency = currency
    }

    public static func zero(_ currency: Currency) -> Amount {
        Amount(unchecked: 0, currency)
    }

    private init(unchecked minorUnits: Int64, _ currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Reads the one accepted form: 1 to 10 ASCII digits, a point, 2 digits (`100.00`).
    public init(parsing text: String, currency: Currency) throws(AmountFormatError) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty }
        guard let point = bytes.firstIndex(of: UInt8(ascii: ".")) else { throw .form(text) }
        let whole = bytes[..<point]
        let fraction = bytes[(point + 1)...]
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard whole.allSatisfy(digits.contains), fraction.allSatisfy(digits.contains), !whole.isEmpty,
            fraction.count == 2
        else { throw .form(text) }
        guard whole.count <= 10 else { throw .tooLarge(text) }
        let minorUnits = (whole + fraction).reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        self.init(unchecked: minorUnits, currency)
    }

    /// The sum; nil when it needs more than twelve digits or the currencies differ.
    public func adding(_ other: Amount) -> Amount? {
        guard currency == other.currency else { return nil }
        return Amount(minorUnits: minorUnits + other.minorUnits, currency: currency)
    }

    /// The difference; nil when `other` is larger or the currencies differ.
    public func subtracting(_ other: Amount) -> Amount? {
        guard currency == other.currency else { return nil }
        return Amount(minorUnits: minorUnits - other.minorUnits, currency: currency)
    }

    public var isZero: Bool { minorUnits == 0 }

    /// Six bytes BCD, format n12: the value of EMV tags 9F02 and 9F03 (Book 3, Annex A).
    public var bcd12: [UInt8] {
        var rest = minorUnits
        var bytes = [UInt8](repeating: 0, count: 6)
        for index in stride(from: 5, through: 0, by: -1) {
            let low = UInt8(rest % 10)
            let high = UInt8(rest / 10 % 10)
            bytes[index] = high << 4 | low
            rest /= 100
        }
        return bytes
    }
}

extension Amount: Comparable {
    /// Orders by minor units; amounts of different currencies are never compared by this product.
    public static func < (left: Amount, right: Amount) -> Bool {
        left.minorUnits < right.minorUnits
    }
}

extension Amount: CustomStringConvertible {
    /// Two decimals, no currency: `100.00`.
    public var description: String {
        let cents = minorUnits % 100
        return "\(minorUnits / 100).\(cents < 10 ? "0" : "")\(cents)"
    }
}

public enum AmountFormatError: Error, Sendable, Hashable {
    case empty
    case form(String)
    case tooLarge(String)
}

extension AmountFormatError: CustomStringConvertible {
    public var description: String { sentence(about: "amount") }

    /// What is wrong and what to write instead. `name` is what the amount is: `amount`, `tip`.
    public func sentence(about name: String) -> String {
        switch self {
        case .empty: "The \(name) is empty: write it with two decimals, for example 100.00."
        case .form(let text):
            "The \(name) '\(text)' is not valid: write digits, a point and two decimals, for example 100.00."
        case .tooLarge(let text): "The \(name) '\(text)' is too large: at most 10 digits before the point."
        }
    }
}
