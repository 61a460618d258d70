import FoundationEssentials
import Gateways
import Ledger
import Money

extension Receipt {
    /// From the text that `jsonValue` made, in any of its layouts; nil for anything else.
    public init?(json: String) {
        guard let stored = try? JSONDecoder().decode(ReceiptDocument.self, from: Data(json.utf8)),
            let layout = Layout(rawValue: stored.version), let kind = TransactionKind(rawValue: stored.kind),
            let currency = Currency(code: stored.currency),
            let amount = try? Amount(parsing: stored.amount, currency: currency),
            let tip = try? Amount(parsing: stored.tip, currency: currency),
            let instalments = Instalments(rawValue: stored.msi)
        else { return nil }
        self.layout = layout
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
        switch layout {
        case .first: entryMode = chip == nil ? nil : .contactChip
        case .second:
            guard let added = AddedInSecond(stored, currency), added.isChip == (chip != nil) else { return nil }
            isTest = added.isTest
            asked = added.asked
            entryMode = added.entryMode
            verification = added.verification
            voidedAt = added.voidedAt
        }
    }
}

/// What the second layout has more, all of it or nothing.
private struct AddedInSecond {
    let isTest: Bool
    let asked: Amount?
    let entryMode: EntryMode?
    let verification: CardholderVerification
    let voidedAt: String?

    var isChip: Bool { entryMode?.isChip ?? false }

    init?(_ stored: ReceiptDocument, _ currency: Currency) {
        guard let test = stored.test, let asked = stored.asked, let entry = stored.entry, let voided = stored.voided,
            let verification = stored.verification.flatMap(CardholderVerification.init)
        else { return nil }
        isTest = test
        self.asked = asked.isEmpty ? nil : try? Amount(parsing: asked, currency: currency)
        entryMode = EntryMode(rawValue: entry)
        self.verification = verification
        voidedAt = voided.isEmpty ? nil : voided
        guard (self.asked == nil) == asked.isEmpty, (entryMode == nil) == entry.isEmpty else { return nil }
    }
}

/// The stored form, key by key. A seal is not its business.
private struct ReceiptDocument: Decodable {
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
    // From the second layout on.
    let test: Bool?
    let asked, entry, verification, voided: String?
}
