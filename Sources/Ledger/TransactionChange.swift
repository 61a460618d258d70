/// The facts that are learnt with a transition. Nil leaves what is written as it is: a fact can be replaced, never
/// erased. It has no place for a PAN, track data, a PIN or a token.
public struct TransactionChange: Hashable, Sendable {
    public var outcome: String?
    /// Unix milliseconds.
    public var approvedAt: Int64?
    /// Minor units without the tip.
    public var amount: Int64?
    /// Minor units.
    public var tip: Int64?
    public var msi: Int?
    /// Unique in the ledger.
    public var attemptID: String?
    public var reader: String?
    public var responseCode: String?
    public var authorisation: String?
    /// Exactly four digits.
    public var lastFour: String?
    public var cardBrand: String?
    /// Sixteen hexadecimal digits (tag 9F26).
    public var arqc: String?
    public var aid: String?
    public var appLabel: String?
    public var cardholderName: String?
    public var bank: String?
    public var accountType: String?
    public var statusCode: String?
    public var statusInfo: String?
    /// The settlement batch, 1 and up.
    public var batch: Int64?
    /// JSON text.
    public var receipt: String?
    /// The running program that is in charge of it.
    public var owner: String?
    /// Minor units, with the tip, 0 ... 999_999_999_999: what the issuer has approved.
    public var approvedAmount: Int64?
    public var hostReference: String?
    /// How the card was read.
    public var entryMode: String?
    public var offline: OfflineState?
    public var returnedAs: ReturnOperation?

    public init() {}
}
