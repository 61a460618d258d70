import Gateways
import Ledger
import Payments
import Testing

/// What an operator is told when a cap stands in the way.
@Suite struct OfflineRefusalTests {
    @Test(
        "every cap is named with its setting, after the reason why the host was not reached",
        arguments: OfflineCap.allCases)
    func sentences(cap: OfflineCap) {
        let setting =
            switch cap {
            case .perSale: "offline.perSale"
            case .total: "offline.total"
            case .count: "offline.count"
            case .wait: "offline.waitHours"
            }
        let sentence = PaymentFailure.notApprovedOffline(.notSent(reason: "no line"), .cap(cap)).sentence
        #expect(
            sentence.hasPrefix(
                "The request was not sent to the gateway: no line. (6001, gateway.notSent) Not approved offline: "))
        #expect(sentence.contains("(\(setting))"))
        #expect(sentence.contains(cap == .perSale ? "Take it when the host answers." : "'readerctl resolve'"))
    }

    @Test("a sale above a cap fails because of it, and an approved one says that it is stored")
    func result() async throws {
        let kiosk = try await OfflineBed()
        let over = try await kiosk.sale("300.01")
        guard case .notApprovedOffline(.notSent, .cap(.perSale)) = over.failure else {
            Issue.record("\(String(describing: over.failure))")
            return
        }
        #expect(over.offline == nil && over.response.outcome == .failed)
        let sale = try await kiosk.sale("300.00")
        #expect(sale.offline == .stored)
        #expect(PaymentResult(try await kiosk.record(sale.response.transactionID)).offline == .stored)
    }
}
