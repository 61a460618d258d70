/// Count and sum of the transactions that agree in kind, state, brand and currency.
public struct LedgerTotal: Hashable, Sendable {
    public let kind: TransactionKind
    public let state: StateName
    /// Nil when no card brand was recorded.
    public let cardBrand: String?
    /// ISO 4217 numeric code.
    public let currency: UInt16
    public let count: Int
    /// Minor units, without the tips.
    public let amount: Int64
    /// Minor units.
    public let tip: Int64
}

extension LedgerTotal {
    /// Reads a row of kind, state, brand, currency, count and the two sums.
    init(row: SQLiteRow) throws(LedgerError) {
        guard let kind = row.text(0).flatMap(TransactionKind.init(rawValue:)), let state = row.text(1),
            let currency = row.integer(3).flatMap(UInt16.init(exactly:)), let count = row.integer(4),
            let amount = row.integer(5), let tip = row.integer(6)
        else { throw .corrupt("a row of the table transactions does not hold what it must") }
        self.init(
            kind: kind, state: StateName(rawValue: state), cardBrand: row.text(2), currency: currency,
            count: Int(count), amount: amount, tip: tip)
    }
}
