import JSONText
import Ledger

extension PaymentPipeline {
    /// The text for the ledger.
    func stored(_ receipt: Receipt) -> String {
        receiptSeal?.seal(receipt) ?? receipt.jsonValue.compactText
    }

    /// The receipt of a sale that is voided now; nil when it has none, or none that can be trusted: what was changed is
    /// not sealed anew.
    func storedVoid(of sale: TransactionRecord) -> String? {
        let receipt: Receipt?
        if let receiptSeal {
            receipt = (try? StoredReceipt(of: sale, seal: receiptSeal))?.receipt
        } else {
            receipt = sale.receipt.flatMap(Receipt.init(json:))
        }
        return receipt?.voided(at: localTime()).map(stored)
    }
}
