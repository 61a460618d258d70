/// One settlement batch as the ledger holds it. Times are unix milliseconds. All its money is in one currency.
public struct BatchRecord: Hashable, Sendable {
    public enum State: String, Hashable, Sendable {
        /// Numbered and counted; the host has been asked, or is about to be.
        case closing
        /// The host has other totals and has not closed it. It has no members, and its number is used by the next one.
        case differs
        /// For good.
        case closed
    }

    /// What the host said about the totals.
    public enum HostAnswer: String, Hashable, Sendable {
        case agreed
        /// They differ by exactly what earlier batches differed the other way.
        case evened
        case differs
        /// The host keeps no batches: nothing was compared.
        case notKept
    }

    /// 1 and up, without gaps.
    public var number: Int64
    /// ISO 4217 numeric code.
    public var currency: UInt16
    public var state: State
    /// When it was counted.
    public var openedAt: Int64
    public var closedAt: Int64?
    /// A person wanted it closed whatever was open or different.
    public var isForced: Bool
    public var hostAnswer: HostAnswer?
    /// The host's own count, where it told it.
    public var hostTotals: BatchSums?
    /// By card brand and kind, in that order.
    public var totals: [BatchTotal]

    /// All brands together.
    public var sums: BatchSums { BatchSums(totals) }
}

/// Count and sum of a batch's transactions that agree in kind and brand.
public struct BatchTotal: Hashable, Sendable {
    public let kind: TransactionKind
    /// Empty when no card brand was recorded.
    public let cardBrand: String
    /// 1 and up.
    public let count: Int
    /// Minor units, without the tips.
    public let amount: Int64
    /// Minor units.
    public let tip: Int64

    public init(kind: TransactionKind, cardBrand: String, count: Int, amount: Int64, tip: Int64) {
        self.kind = kind
        self.cardBrand = cardBrand
        self.count = count
        self.amount = amount
        self.tip = tip
    }
}

/// Sales and refunds, tips included, in minor units. A difference of two may be negative.
public struct BatchSums: Hashable, Sendable {
    public var sales: Int
    public var salesAmount: Int64
    public var refunds: Int
    public var refundsAmount: Int64

    public init(sales: Int = 0, salesAmount: Int64 = 0, refunds: Int = 0, refundsAmount: Int64 = 0) {
        self.sales = sales
        self.salesAmount = salesAmount
        self.refunds = refunds
        self.refundsAmount = refundsAmount
    }

    public init(_ totals: [BatchTotal]) {
        self.init()
        for total in totals {
            // The schema keeps each within sixteen digits; a file that was changed by other means must not trap.
            switch total.kind {
            case .sale:
                sales &+= total.count
                salesAmount &+= total.amount &+ total.tip
            case .refund:
                refunds &+= total.count
                refundsAmount &+= total.amount &+ total.tip
            }
        }
    }

    /// What the merchant gets.
    public var net: Int64 { salesAmount &- refundsAmount }

    public static func - (left: BatchSums, right: BatchSums) -> BatchSums {
        BatchSums(
            sales: left.sales &- right.sales, salesAmount: left.salesAmount &- right.salesAmount,
            refunds: left.refunds &- right.refunds, refundsAmount: left.refundsAmount &- right.refundsAmount)
    }
}
