import BERTLV
import EMV
public import JSONText
public import Ledger
public import Money

/// What a receipt says. Stored with its transaction, so that a copy printed later equals the first one. It never holds the
/// account number or the expiry date.
public struct Receipt: Sendable, Hashable {
    /// The layout of `jsonValue`.
    public static let version: Int64 = 1

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
    public var instalments: Instalments
    public var reference: String
    /// The sale that a refund belongs to; empty for a sale.
    public var originalID: String
    public var cardBrand: String
    public var lastFour: String
    public var authorization: String
    public var responseCode: String
    /// Nil when no chip took part (a refund).
    public var chip: Chip?

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
}

extension Receipt {
    init(
        _ pipeline: PaymentPipeline, id: String, kind: TransactionKind, isApproved: Bool, amount: Amount, tip: Amount,
        instalments: Instalments = .single, reference: String, originalID: String = "", card: CardSummary,
        authorization: String, responseCode: String, chip: Chip? = nil
    ) {
        transactionID = id
        self.kind = kind
        self.isApproved = isApproved
        merchantName = pipeline.merchantName
        merchantID = pipeline.terminal.merchantIdentifier
        terminalID = pipeline.terminal.terminalIdentification
        time = pipeline.zone.civilTime(atMilliseconds: pipeline.wallClock.nowMilliseconds()).text
        self.amount = amount
        self.tip = tip
        self.instalments = instalments
        self.reference = reference
        self.originalID = originalID
        cardBrand = card.brand
        lastFour = card.lastFour
        self.authorization = authorization
        self.responseCode = responseCode
        self.chip = chip
    }
}

extension Receipt.Chip {
    init(_ kernel: ContactKernel) {
        let type =
            switch (kernel.value(of: 0x9F27)?.first ?? 0) & 0xC0 {
            case 0x80: "ARQC"
            case 0x40: "TC"
            default: "AAC"
            }
        self.init(
            applicationName: kernel.application?.displayName ?? "",
            aid: kernel.application.map { hexText($0.aid) } ?? "",
            cryptogramType: type, cryptogram: kernel.value(of: 0x9F26).map { hexText($0) } ?? "",
            terminalVerificationResults: kernel.value(of: 0x95).map { hexText($0) } ?? "",
            transactionStatusInformation: kernel.value(of: 0x9B).map { hexText($0) } ?? "")
    }
}

extension Receipt {
    public var jsonValue: JSONValue {
        .object([
            "version": .integer(Self.version),
            "transactionid": .string(transactionID),
            "kind": .string(kind.rawValue),
            "approved": .bool(isApproved),
            "merchant": .string(merchantName),
            "merchantid": .string(merchantID),
            "terminalid": .string(terminalID),
            "time": .string(time),
            "amount": .string(amount.description),
            "tip": .string(tip.description),
            "total": .string(total.description),
            "currency": .string(amount.currency.code),
            "msi": .integer(Int64(instalments.rawValue)),
            "reference": .string(reference),
            "original": .string(originalID),
            "cardtype": .string(cardBrand),
            "creditcard": .string(lastFour),
            "authorization": .string(authorization),
            "responsecode": .string(responseCode),
            "chip": chip.map { chip in
                .object([
                    "applabel": .string(chip.applicationName),
                    "aid": .string(chip.aid),
                    "cryptogramtype": .string(chip.cryptogramType),
                    "cryptogram": .string(chip.cryptogram),
                    "tvr": .string(chip.terminalVerificationResults),
                    "tsi": .string(chip.transactionStatusInformation),
                ])
            } ?? .null,
        ])
    }
}
