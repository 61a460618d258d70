/// How much may be approved without the host before it has heard of it. Amounts are minor units, tips included.
public struct OfflineCaps: Hashable, Sendable {
    /// Of one sale.
    public var perSale: Int64
    /// Of all that are stored or reserved, in one currency.
    public var total: Int64
    /// How many are stored or reserved.
    public var count: Int
    /// Milliseconds that a payment may be stored; while one is older, no more are let in.
    public var longestWait: Int64

    public init(perSale: Int64, total: Int64, count: Int, longestWait: Int64) {
        self.perSale = perSale
        self.total = total
        self.count = count
        self.longestWait = longestWait
    }
}

/// Which of the caps leaves no room.
public enum OfflineCap: String, Hashable, Sendable, CaseIterable {
    case perSale
    case total
    case count
    /// A stored payment waits for too long already.
    case wait
}
