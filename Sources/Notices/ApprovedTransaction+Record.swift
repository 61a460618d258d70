public import Ledger
import Money
public import Webhooks

extension ApprovedTransaction {
    /// What the ledger knows of an approved sale; nil when its currency is not one of ours. The amounts are those that
    /// the issuer has approved. Nothing in it changes when the sale is refunded or voided later: every attempt has the
    /// same bytes.
    ///
    /// - Parameter userID: the merchant's user, as the receiver knows it.
    public init?(_ record: TransactionRecord, userID: Int64) {
        guard let currency = Currency(numeric: record.currency), record.kind == .sale else { return nil }
        let parts = Self.approved(record)
        guard let amount = Amount(minorUnits: parts.amount, currency: currency),
            let tip = Amount(minorUnits: parts.tip, currency: currency)
        else { return nil }
        self.init(
            transactionID: record.id, amount: amount.description, approvedAt: record.approvedAt ?? record.updatedAt)
        self.tip = tip.description
        payments = Int64(max(record.msi, 1))
        reference = record.reference ?? ""
        authorization = record.authorisation ?? ""
        creditCard = record.lastFour ?? ""
        cardType = record.cardBrand ?? ""
        arqc = record.arqc ?? ""
        self.userID = userID
        aid = record.aid ?? ""
        applicationLabel = record.appLabel ?? ""
        url = record.receipt == nil ? "" : record.id
        uniqueReference = record.identifier ?? ""
    }

    /// Minor units. Of a partial approval the goods are paid first, and the tip with what is left.
    private static func approved(_ record: TransactionRecord) -> (amount: Int64, tip: Int64) {
        guard let total = record.approvedAmount, (0..<record.amount + record.tip).contains(total) else {
            return (record.amount, record.tip)
        }
        let amount = min(record.amount, total)
        return (amount, total - amount)
    }
}
