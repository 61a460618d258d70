import FoundationEssentials
import Ledger
import Money

extension Receipt {
    /// From the text that `jsonValue` made; nil for anything else.
    public init?(json: String) {
        guard let stored = try? JSONDecoder().decode(StoredReceipt.self, from: Data(json.utf8)),
            stored.version == Self.version, let kind = TransactionKind(rawValue: stored.kind),
            let currency = Currency(code: stored.currency),
            let amount = try? Amount(parsing: stored.amount, currency: currency),
            let tip = try? Amount(parsing: stored.tip, currency: currency),
            let instalments = Instalments(rawValue: stored.msi)
        else { return nil }
        transactionID = stored.transactionid
        self.kind = kind
        isApproved = stored.approved
        merchantName = stored.merchant
        merchantID = stored.merchantid
        terminalID = stored.terminalid
        time = stored.time
        self.amount = amount
        self.tip = tip
        self.instalments = instalments
        reference = stored.reference
        originalID = stored.original
        cardBrand = stored.cardtype
        lastFour = stored.creditcard
        authorization = stored.authorization
        responseCode = stored.responsecode
        chip = stored.chip.map { chip in
            Chip(
                applicationName: chip.applabel, aid: chip.aid, cryptogramType: chip.cryptogramtype,
                cryptogram: chip.cryptogram, terminalVerificationResults: chip.tvr,
                transactionStatusInformation: chip.tsi)
        }
    }
}

/// The stored form, key by key.
private struct StoredReceipt: Decodable {
    struct Chip: Decodable {
        let applabel, aid, cryptogramtype, cryptogram, tvr, tsi: String
    }

    let version: Int64
    let transactionid, kind: String
    let approved: Bool
    let merchant, merchantid, terminalid, time, amount, tip, currency: String
    let msi: Int
    let reference, original, cardtype, creditcard, authorization, responsecode: String
    let chip: Chip?
}
