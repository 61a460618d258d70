import Gateways
import Ledger
import Money

/// What is taken of what a sale asked for: all of it, or the part that the issuer approved. A part goes to the amount
/// first, and what is left of it to the tip.
struct TakenAmount: Sendable, Hashable {
    let amount: Amount
    let tip: Amount
    /// What was asked for, tip included.
    let asked: Amount

    /// All of it.
    init(_ request: SaleRequest) {
        (amount, tip, asked) = (request.amount, request.tip, request.total)
    }

    /// Nil unless `approved` is a part: more than nothing, less than everything, in the same currency.
    init?(part approved: Amount, ofAmount amount: Amount, tip: Amount) {
        guard let asked = amount.adding(tip), approved.currency == asked.currency, !approved.isZero, approved < asked
        else { return nil }
        let taken = min(approved, amount)
        guard let rest = approved.subtracting(taken) else { return nil }
        (self.amount, self.tip, self.asked) = (taken, rest, asked)
    }

    /// Nil unless the ledger has a part of this sale as the issuer's word, and it is not taken yet.
    init?(partOf record: TransactionRecord) {
        guard record.responseCode == ResponseCode.partialApproval.text, let minorUnits = record.approvedAmount,
            let currency = Currency(numeric: record.currency),
            let approved = Amount(minorUnits: minorUnits, currency: currency),
            let amount = Amount(minorUnits: record.amount, currency: currency),
            let tip = Amount(minorUnits: record.tip, currency: currency)
        else { return nil }
        self.init(part: approved, ofAmount: amount, tip: tip)
    }

    var total: Amount { amount.adding(tip) ?? amount }

    var isPart: Bool { total < asked }

    /// For the journal: `100.00 of 110.00`.
    var words: String { "\(total) of \(asked)" }
}

extension TransactionChange {
    /// From now on the row's amounts are what was taken: refunds, voids, totals and answers go by them.
    mutating func take(_ taken: TakenAmount) {
        amount = taken.amount.minorUnits
        tip = taken.tip.minorUnits
    }
}
