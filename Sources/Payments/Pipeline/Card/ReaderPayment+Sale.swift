import EMV
import Readers

extension ReaderPayment {
    init(_ request: SaleRequest, at time: TransactionTime, _ rules: SaleRules) {
        let stripe = rules.magneticStripe == .fallback
        self.init(
            amount: request.total, time: time,
            interfaces: stripe ? [.contact, .contactless, .magneticStripe] : [.contact, .contactless],
            isFallbackAllowed: stripe)
    }
}
