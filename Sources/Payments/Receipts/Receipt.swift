import BERTLV
import EMV
public import Gateways
public import Ledger
public import Money

/// What a receipt says. Stored with its transaction, so that a copy printed later equals the first one. It never holds the
/// account number or the expiry date.
public struct Receipt: Sendable, Hashable {
    /// The layouts of `jsonValue`. A stored receipt keeps its own.
    public enum Layout: Int64, Sendable, Hashable, CaseIterable {
        /// Nothing about tests, parts, entry, verification and voids.
        case first = 1
        case second = 2
    }

    public var layout = Layout.second
    /// No money moved: the issuer is simulated, or the card.
    public var isTest = false
    public var transactionID: String
    public var kind: TransactionKind
    public var isApproved: Bool
    public var merchantName: String
    public var merchantID: String
    public var terminalID: String
    /// Local time of the merchant: `2026-03-02 12:00:05`.
    public var time: String
    public var amount: Amount
    public var tip: Amount
    /// What was asked for, tip included, when the issuer approved less; nil: `total`.
    public var asked: Amount?
    public var instalments: Instalments
    public var reference: String
    /// The sale that a refund belongs to; empty for a sale.
    public var originalID: String
    public var cardBrand: String
    public var lastFour: String
    public var authorization: String
    public var responseCode: String
    /// How the card was read; nil when none was (a refund).
    public var entryMode: EntryMode?
    public var verification = CardholderVerification.none
    /// Nil when no chip took part.
    public var chip: Chip?
    /// Local time at which the sale was voided; nil: it was not.
    public var voidedAt: String?

    /// The EMV data of a receipt (Book 4, 6.8.3, and the schemes' rules).
    public struct Chip: Sendable, Hashable {
        public var applicationName: String
        /// Hex.
        public var aid: String
        /// `ARQC`, `TC` or `AAC`, and the cryptogram as hex: the last one that the card made.
        public var cryptogramType: String
        public var cryptogram: String
        /// Hex, as they stood at the end.
        public var terminalVerificationResults: String
        public var transactionStatusInformation: String

        public init(
            applicationName: String, aid: String, cryptogramType: String, cryptogram: String,
            terminalVerificationResults: String, transactionStatusInformation: String
        ) {
            self.applicationName = applicationName
            self.aid = aid
            self.cryptogramType = cryptogramType
            self.cryptogram = cryptogram
            self.terminalVerificationResults = terminalVerificationResults
            self.transactionStatusInformation = transactionStatusInformation
        }
    }

    public var total: Amount { amount.adding(tip) ?? amount }

    /// Card and terminal approved it, and the issuer had not been asked. Only they answer with these codes (Book 4,
    /// Annex A6).
    public var isApprovedOffline: Bool { isApproved && ["Y1", "Y3"].contains(responseCode) }
}

extension Receipt {
    init(
        _ pipeline: PaymentPipeline, id: String, kind: TransactionKind, isApproved: Bool, amount: Amount, tip: Amount,
        asked: Amount? = nil, instalments: Instalments = .single, reference: String, originalID: String = "",
        card: CardSummary, authorization: String, responseCode: String, facts: CardFacts = .none
    ) {
        transactionID = id
        self.kind = kind
        self.isApproved = isApproved
        isTest = pipeline.gateway.isSimulation || (kind == .sale && pipeline.hasTestCards)
        merchantName = pipeline.merchantName
        merchantID = pipeline.terminal.merchantIdentifier
        terminalID = pipeline.terminal.terminalIdentification
        time = pipeline.localTime()
        self.amount = amount
        self.tip = tip
        self.asked = asked
        self.instalments = instalments
        self.reference = reference
        self.originalID = originalID
        cardBrand = card.brand
        lastFour = card.lastFour
        self.authorization = authorization
        self.responseCode = responseCode
        if case .none = facts { entryMode = nil } else { entryMode = facts.entryMode }
        verification = CardholderVerification(results: facts.value(of: 0x9F34) ?? [])
        chip = Chip(facts)
    }

    /// The same sale, taken back; nil for what cannot be voided.
    func voided(at time: String) -> Receipt? {
        guard kind == .sale, isApproved else { return nil }
        var receipt = self
        receipt.layout = .second
        receipt.voidedAt = time
        return receipt
    }
}

extension Receipt.Chip {
    /// Nil when no chip took part.
    init?(_ facts: CardFacts) {
        if case .none = facts { return nil }
        guard facts.isChip else { return nil }
        let type =
            switch (facts.value(of: 0x9F27)?.first ?? 0) & 0xC0 {
            case 0x80: "ARQC"
            case 0x40: "TC"
            default: "AAC"
            }
        self.init(
            applicationName: facts.applicationName, aid: hexText(facts.applicationIdentifier),
            cryptogramType: type, cryptogram: facts.value(of: 0x9F26).map { hexText($0) } ?? "",
            terminalVerificationResults: facts.value(of: 0x95).map { hexText($0) } ?? "",
            transactionStatusInformation: facts.value(of: 0x9B).map { hexText($0) } ?? "")
    }
}
