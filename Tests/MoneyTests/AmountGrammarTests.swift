import Money
import Testing

/// The amount grammar of the app-to-app request: `^[0-9]{1,10}\.[0-9]{2}$`, ASCII digits only.
@Suite struct AmountGrammarTests {
    @Test(
        "one to ten digits, a point and two digits are an amount",
        arguments: [
            ("100.00", 10_000), ("0.00", 0), ("0.01", 1), ("9.99", 999), ("115.00", 11_500), ("007.50", 750),
            ("0000000000.05", 5), ("9999999999.99", 999_999_999_999),
        ] as [(String, Int64)])
    func accepted(text: String, minorUnits: Int64) throws {
        #expect(try Amount(parsing: text, currency: .mxn).minorUnits == minorUnits)
    }

    @Test(
        "anything else is refused, and the refusal quotes it",
        arguments: [
            "100", "100.", "100.0", "100.001", ".00", ".", "-1", "-1.00", "+1.00", "1e2", "1e2.00", " 1", " 1.00",
            "1.00 ", "1,00", "1,000.00", "1.0.0", "1..00", "1.-1", "0x10.00", "1.00\0", "1.00\n", "$1.00", "١٠٠.٠٠",
            "１.００", "१.००", "NaN", "inf",
        ])
    func refused(text: String) {
        #expect(throws: AmountFormatError.form(text)) { try Amount(parsing: text, currency: .mxn) }
        #expect(
            AmountFormatError.form(text).description
                == "The amount '\(text)' is not valid: write digits, a point and two decimals, for example 100.00.")
    }

    @Test("the empty text has a refusal of its own")
    func empty() {
        #expect(throws: AmountFormatError.empty) { try Amount(parsing: "", currency: .mxn) }
        #expect(
            AmountFormatError.empty.description
                == "The amount is empty: write it with two decimals, for example 100.00.")
    }

    @Test(
        "eleven digits before the point are too many, even when they are zeros",
        arguments: ["99999999999.99", "10000000000.00", "00000000001.00", String(repeating: "9", count: 400) + ".99"])
    func tooLarge(text: String) {
        #expect(throws: AmountFormatError.tooLarge(text)) { try Amount(parsing: text, currency: .mxn) }
        #expect(
            AmountFormatError.tooLarge(text).description
                == "The amount '\(text)' is too large: at most 10 digits before the point.")
    }

    @Test(
        "the text form reads back as the same amount",
        arguments: [0, 1, 9, 10, 99, 100, 101, 11_500, 999_999_999_999] as [Int64])
    func roundTrip(minorUnits: Int64) throws {
        let amount = try #require(Amount(minorUnits: minorUnits, currency: .mxn))
        #expect(try Amount(parsing: amount.description, currency: .mxn) == amount)
    }
}
