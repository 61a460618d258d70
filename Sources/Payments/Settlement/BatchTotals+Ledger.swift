import Gateways
import Ledger
import Money

extension BatchTotals {
    /// Nil when the currency is not known here.
    init?(_ batch: BatchRecord) {
        guard let currency = Currency(numeric: batch.currency) else { return nil }
        let sums = batch.sums
        self.init(
            currency: currency, sales: Tally(count: sums.sales, minorUnits: sums.salesAmount),
            refunds: Tally(count: sums.refunds, minorUnits: sums.refundsAmount))
    }
}

extension BatchSums {
    /// What stands of the host's count.
    init(_ totals: BatchTotals) {
        let (sales, refunds) = (totals.standingSales, totals.standingRefunds)
        self.init(
            sales: sales.count, salesAmount: sales.minorUnits, refunds: refunds.count,
            refundsAmount: refunds.minorUnits)
    }
}
