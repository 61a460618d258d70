import Money
import Testing

@Suite struct AmountArithmeticTests {
    private static func mxn(_ minorUnits: Int64) throws -> Amount {
        try #require(Amount(minorUnits: minorUnits, currency: .mxn))
    }

    @Test("an amount is never negative and never more than twelve digits")
    func range() {
        for minorUnits in [Int64.min, -1, 1_000_000_000_000, Int64.max] {
            #expect(Amount(minorUnits: minorUnits, currency: .mxn) == nil)
        }
        #expect(Amount(minorUnits: 999_999_999_999, currency: .mxn)?.description == "9999999999.99")
        #expect(Amount(minorUnits: 0, currency: .mxn) == .zero(.mxn))
    }

    @Test("a sum that needs thirteen digits is none")
    func additionLimit() throws {
        let largest = try Self.mxn(Amount.maximumMinorUnits)
        #expect(largest.adding(.zero(.mxn)) == largest)
        #expect(try Self.mxn(Amount.maximumMinorUnits - 1).adding(Self.mxn(1)) == largest)
        #expect(try largest.adding(Self.mxn(1)) == nil)
        #expect(largest.adding(largest) == nil)
    }

    @Test("a difference below zero is none")
    func subtraction() throws {
        #expect(try Self.mxn(250).subtracting(Self.mxn(100)) == Self.mxn(150))
        #expect(try Self.mxn(250).subtracting(Self.mxn(250)) == .zero(.mxn))
        #expect(try Self.mxn(250).subtracting(Self.mxn(251)) == nil)
    }

    @Test("amounts of different currencies do not mix")
    func currencies() throws {
        let dollars = try #require(Amount(minorUnits: 100, currency: .usd))
        #expect(try Self.mxn(100).adding(dollars) == nil)
        #expect(try Self.mxn(100).subtracting(dollars) == nil)
        #expect(try Self.mxn(100) != dollars)
    }

    @Test("amounts are ordered by their minor units")
    func order() throws {
        #expect(try Self.mxn(99) < Self.mxn(100))
        #expect(try !(Self.mxn(100) < Self.mxn(100)))
        #expect(Amount.zero(.mxn).isZero)
        #expect(try !Self.mxn(1).isZero)
    }

    @Test(
        "the value of tag 9F02 is twelve BCD digits (EMV Book 3, Annex A)",
        arguments: [
            ("0.00", [0, 0, 0, 0, 0, 0]), ("0.01", [0, 0, 0, 0, 0, 0x01]), ("1.00", [0, 0, 0, 0, 0x01, 0x00]),
            ("115.00", [0, 0, 0, 0x01, 0x15, 0x00]), ("1234567890.12", [0x12, 0x34, 0x56, 0x78, 0x90, 0x12]),
            ("9999999999.99", [0x99, 0x99, 0x99, 0x99, 0x99, 0x99]),
        ] as [(String, [UInt8])])
    func numeric12(text: String, bytes: [UInt8]) throws {
        #expect(try Amount(parsing: text, currency: .mxn).bcd12 == bytes)
    }
}

@Suite struct CurrencyTests {
    @Test(
        "a currency is found by its ISO 4217 code and number",
        arguments: [("MXN", 484), ("USD", 840), ("EUR", 978)] as [(String, UInt16)])
    func known(code: String, numeric: UInt16) throws {
        let currency = try #require(Currency(code: code))
        #expect(currency == Currency(numeric: numeric))
        #expect(currency.code == code)
        #expect(currency.numeric == numeric)
        #expect(currency.exponent == 2)
    }

    @Test("other codes, and codes in small letters, are none", arguments: ["", "mxn", "MX", "MXNN", "JPY", "484"])
    func unknown(code: String) {
        #expect(Currency(code: code) == nil)
    }

    @Test("other numbers are none", arguments: [0, 36, 483, 999, 65_535] as [UInt16])
    func unknownNumber(numeric: UInt16) {
        #expect(Currency(numeric: numeric) == nil)
    }
}
