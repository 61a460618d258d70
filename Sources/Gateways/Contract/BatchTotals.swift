public import Money

/// What one side has counted for a batch of one terminal, in one currency. Tips are in the sums.
public struct BatchTotals: Sendable, Hashable {
    /// A number of transactions and their sum in minor units.
    public struct Tally: Sendable, Hashable {
        public var count: Int
        public var minorUnits: Int64

        public init(count: Int = 0, minorUnits: Int64 = 0) {
            self.count = count
            self.minorUnits = minorUnits
        }

        /// May be negative: what is taken away can be of an earlier batch.
        public static func - (left: Tally, right: Tally) -> Tally {
            Tally(count: left.count &- right.count, minorUnits: left.minorUnits &- right.minorUnits)
        }
    }

    public let currency: Currency
    public var sales: Tally
    /// Sales that were taken back. A terminal counts only what stands, and has none.
    public var reversedSales: Tally
    public var refunds: Tally
    public var reversedRefunds: Tally

    public init(
        currency: Currency, sales: Tally = Tally(), reversedSales: Tally = Tally(), refunds: Tally = Tally(),
        reversedRefunds: Tally = Tally()
    ) {
        self.currency = currency
        self.sales = sales
        self.reversedSales = reversedSales
        self.refunds = refunds
        self.reversedRefunds = reversedRefunds
    }

    public var standingSales: Tally { sales - reversedSales }
    public var standingRefunds: Tally { refunds - reversedRefunds }

    /// What the merchant gets, in minor units.
    public var net: Int64 { standingSales.minorUnits &- standingRefunds.minorUnits }

    /// Whether both sides have counted the same transactions as standing, as far as counts and sums can tell.
    public func agrees(with other: BatchTotals) -> Bool {
        currency == other.currency && standingSales == other.standingSales && standingRefunds == other.standingRefunds
    }
}
