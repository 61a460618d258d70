import Money
import Testing

@testable import Payments

/// The ledger keeps the digest of a request: a later version must find it the same.
@Suite struct RequestKeyTests {
    // Digests computed with Python's hashlib, over a line "name, bytes, value" for each field.
    @Test("a sale's digest is SHA-256 over its fields, each with its length in bytes")
    func sale() throws {
        let details = try RequestDetails(
            identifier: "order 7", reference: "Mesa ñ 7", email: "a@example.com", phone: "5550001234", scope: "shop")
        let request = try SaleRequest(
            amount: pesos("100.00"), tip: pesos("15.00"), instalments: .three, details: details)
        let key = try #require(try RequestKey(request))
        #expect(key.name == RequestKey.Name(scope: "sale/shop", identifier: "order 7"))
        #expect(key.digest == "f198bd3c53747aa025f99f969cb57baf8f7fc468fe5f72db3e037db132ff4ff8")
    }

    @Test("a refund of everything has an empty amount")
    func refund() throws {
        let request = try RefundRequest(
            transactionID: "01J", amount: nil, details: RequestDetails(identifier: "refund 1"))
        let key = try #require(try RequestKey(request))
        #expect(key.name == RequestKey.Name(scope: "refund", identifier: "refund 1"))
        #expect(key.digest == "b0c6195cdf182e4639290ea5f3868189e10c10a17aa09e198cf09aebf75adf96")
    }

    @Test("a request without an identifier has no key")
    func none() throws {
        #expect(try RequestKey(SaleRequest(amount: pesos("100.00"), details: RequestDetails())) == nil)
    }
}
