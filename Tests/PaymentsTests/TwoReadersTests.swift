import Payments
import Testing

/// A reader does one thing at a time; two readers do two.
@Suite struct TwoReadersTests {
    @Test("two readers take a payment each at the same time, neither waiting for the other")
    func parallel() async throws {
        let first = try await PaymentBed(random: CountingRandom())
        let second = try await PaymentBed(card: "mastercard-debit", random: CountingRandom())
        async let visa = first.sale("20.00")
        async let mastercard = second.sale("30.00")
        let results = try await [visa, mastercard]
        #expect(results.map(\.response.outcome) == [.approved, .approved])
        #expect(results.map(\.response.cardType) == ["VISA", "MASTERCARD"])
    }
}
