/// A currency by ISO 4217. Only those that a kiosk here can be configured for are named.
public struct Currency: Hashable, Sendable {
    /// Three capital letters.
    public let code: String
    /// The numeric code as a number, for example 484; as EMV tag 5F2A it is BCD 0484.
    public let numeric: UInt16
    /// Decimal digits of the minor unit.
    public let exponent: Int

    public static let mxn = Currency(code: "MXN", numeric: 484, exponent: 2)
    public static let usd = Currency(code: "USD", numeric: 840, exponent: 2)
    public static let eur = Currency(code: "EUR", numeric: 978, exponent: 2)

    public static let all: [Currency] = [.mxn, .usd, .eur]

    private init(code: String, numeric: UInt16, exponent: Int) {
        self.code = code
        self.numeric = numeric
        self.exponent = exponent
    }

    public init?(code: String) {
        guard let known = Self.all.first(where: { $0.code == code }) else { return nil }
        self = known
    }

    public init?(numeric: UInt16) {
        guard let known = Self.all.first(where: { $0.numeric == numeric }) else { return nil }
        self = known
    }
}
