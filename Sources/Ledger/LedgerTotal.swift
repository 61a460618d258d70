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
