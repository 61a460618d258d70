import Money
import Payments
import Testing

@Suite struct RequestLimitTests {
    /// The fields with their limits, and how a request with one of them is made.
    private static let fields: [(String, Int, @Sendable (String) throws -> RequestDetails)] = [
        ("identifier", 256, { try RequestDetails(identifier: $0) }),
        ("reference", 256, { try RequestDetails(reference: $0) }), ("email", 150, { try RequestDetails(email: $0) }),
        ("phone", 14, { try RequestDetails(phone: $0) }),
    ]

    @Test(
        "a text may be as long as its limit and no longer, counted in characters, not bytes",
        arguments: ["a", "é", "😀", "ñ"])
    func texts(character: String) throws {
        for (field, limit, make) in Self.fields {
            _ = try make(String(repeating: character, count: limit))
            let problem = try #require(throws: RequestProblem.self) {
                try make(String(repeating: character, count: limit + 1))
            }
            #expect(problem.field == field)
            #expect(problem.sentence == "The \(field) is too long: at most \(limit) characters.")
            #expect(problem.statusInfo == .invalidField(field))
        }
    }

    @Test("a letter and its accent are two characters when they were sent as two")
    func decomposed() throws {
        _ = try RequestDetails(identifier: String(repeating: "e\u{301}", count: 128))
        #expect(throws: RequestProblem.self) {
            try RequestDetails(identifier: String(repeating: "e\u{301}", count: 128) + "e")
        }
    }

    @Test("texts come back exactly as they were sent")
    func unchanged() throws {
        let text = " \t\"\\ñ😀\u{0}e\u{301} "
        let details = try RequestDetails(identifier: text, reference: text, email: text)
        #expect(Array(details.identifier.utf8) == Array(text.utf8))
        #expect(Array(details.reference.utf8) == Array(text.utf8))
        #expect(Array(details.email.utf8) == Array(text.utf8))
    }

    @Test("the amount must be more than zero, the tip need not")
    func zero() throws {
        let problem = try #require(throws: RequestProblem.self) {
            try SaleRequest(amount: pesos("0.00"), tip: pesos("1.00"), details: RequestDetails())
        }
        #expect(problem.field == "amount")
        #expect(problem.sentence == "The amount must be more than zero.")
        #expect(
            try SaleRequest(amount: pesos("0.01"), tip: pesos("0.00"), details: RequestDetails()).total == pesos("0.01")
        )
        #expect(try SaleRequest(amount: pesos("0.01"), details: RequestDetails()).tip.isZero)
    }

    @Test("amount and tip together have at most twelve digits")
    func total() throws {
        let largest = try SaleRequest(amount: pesos("9999999999.98"), tip: pesos("0.01"), details: RequestDetails())
        #expect(largest.total == (try pesos("9999999999.99")))
        let problem = try #require(throws: RequestProblem.self) {
            try SaleRequest(amount: pesos("9999999999.99"), tip: pesos("0.01"), details: RequestDetails())
        }
        #expect(problem.field == "tip")
        #expect(problem.sentence == "Amount and tip together need more than twelve digits.")
    }

    @Test("amount and tip have one currency")
    func currencies() throws {
        let dollars = try Amount(parsing: "1.00", currency: .usd)
        #expect(throws: RequestProblem.self) {
            try SaleRequest(amount: pesos("1.00"), tip: dollars, details: RequestDetails())
        }
    }

    @Test("months without interest are 0, 3, 6, 9 and 12")
    func instalments() {
        #expect((-1...24).filter { Instalments(rawValue: $0) != nil } == [0, 3, 6, 9, 12])
    }

    @Test("a refund needs an id, and an amount of more than zero if any")
    func refund() throws {
        let missing = try #require(throws: RequestProblem.self) {
            try RefundRequest(transactionID: "", details: RequestDetails())
        }
        #expect(missing.statusInfo == .missingField("transactionId"))
        let zero = try #require(throws: RequestProblem.self) {
            try RefundRequest(transactionID: "a", amount: pesos("0.00"), details: RequestDetails())
        }
        #expect(zero.statusInfo == .invalidField("amount"))
        #expect(try RefundRequest(transactionID: "a", details: RequestDetails()).amount == nil)
    }
}
