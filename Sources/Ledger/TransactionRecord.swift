/// One transaction as the ledger holds it. The columns are described in `docs/ledger-schema.md`.
public struct TransactionRecord: Hashable, Sendable {
    public var id: String
    public var kind: TransactionKind
    public var state: StateName
    /// Nil until the transaction has one.
    public var outcome: String?
    /// Unix milliseconds.
    public var createdAt: Int64
    /// Unix milliseconds of the last transition.
    public var updatedAt: Int64
    /// Unix milliseconds.
    public var approvedAt: Int64?
    /// Minor units without the tip.
    public var amount: Int64
    /// Minor units.
    public var tip: Int64
    /// ISO 4217 numeric code.
    public var currency: UInt16
    public var identifier: String?
    public var reference: String?
    public var email: String?
    public var phone: String?
    /// Monthly instalments without interest; 0 for none.
    public var msi: Int
    /// The sale that a refund returns money of; nil for a sale.
    public var originalID: String?
    public var attemptID: String?
    public var reader: String?
    public var responseCode: String?
    public var authorisation: String?
    /// The last four digits of the card number.
    public var lastFour: String?
    public var cardBrand: String?
    public var arqc: String?
    public var aid: String?
    public var appLabel: String?
    public var cardholderName: String?
    public var bank: String?
    public var accountType: String?
    public var statusCode: String?
    public var statusInfo: String?
    /// The settlement batch, 1 and up; nil until settled.
    public var batch: Int64?
    /// JSON text.
    public var receipt: String?
    /// The running program that is in charge of it while it is open.
    public var owner: String?
    /// Whose identifier it is; empty for the only one.
    public var identifierScope = ""
    /// SHA-256 of the request's body in lower-case hexadecimal, if the identifier is used once.
    public var requestDigest: String?
    /// Minor units, with the tip: what the issuer has approved.
    public var approvedAmount: Int64?
    /// The issuer's or acquirer's own reference.
    public var hostReference: String?
    /// How the card was read.
    public var entryMode: String?
    /// Unix milliseconds of the next attempt of recovery; nil when none is planned.
    public var resolveAt: Int64?
    /// Attempts of recovery that have begun.
    public var resolveTries = 0
    /// How far the host knows of a sale that was approved without it; nil for every other.
    public var offline: OfflineState?
    /// Of a refund: how the host is told to give the money back; nil for a sale, and for a refund of before version 6.
    public var returnedAs: ReturnOperation?

    /// A record with only what every transaction has.
    public init(
        id: String, kind: TransactionKind, state: StateName, createdAt: Int64, updatedAt: Int64, amount: Int64,
        tip: Int64, currency: UInt16, msi: Int = 0
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.amount = amount
        self.tip = tip
        self.currency = currency
        self.msi = msi
    }
}
