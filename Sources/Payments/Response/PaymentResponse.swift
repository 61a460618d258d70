public import JSONText
public import Money

/// The Kushki/Billpocket response model. Absent data is an empty string. Version 1 of this promise is the key list of
/// `jsonValue`, in that order.
public struct PaymentResponse: Sendable, Hashable {
    public var outcome: PaymentOutcome
    public var statusInfo = StatusInfo.none
    /// Without the tip.
    public var amount: Amount?
    public var tip: Amount?
    public var reference = ""
    /// Our unique id; empty when nothing was recorded.
    public var transactionID = ""
    public var instalments = Instalments.single
    /// The issuer's approval code.
    public var authorization = ""
    /// Last four digits.
    public var creditCard = ""
    public var cardType = ""
    public var email = ""
    public var phone = ""
    /// Sixteen hex digits when the card's first answer was an ARQC.
    public var arqc = ""
    /// Hex.
    public var aid = ""
    public var applicationLabel = ""
    /// The receipt's id; empty when none was stored.
    public var url = ""
    public var identifier = ""
    public var bank = ""
    /// `credit` or `debit`.
    public var accountType = ""
    public var name = ""

    public init(outcome: PaymentOutcome) {
        self.outcome = outcome
    }

    /// The documented keys in the documented order, then our own `outcome`.
    public var jsonValue: JSONValue {
        .object([
            "result": .string(outcome.result),
            "statusinfo": .string(statusInfo.text),
            "amount": .string(amount?.description ?? ""),
            "tip": .string(tip?.description ?? ""),
            "reference": .string(reference),
            "transactionid": .string(transactionID),
            "msi": .integer(Int64(instalments.rawValue)),
            "authorization": .string(authorization),
            "creditcard": .string(creditCard),
            "cardtype": .string(cardType),
            "email": .string(email),
            "phone": .string(phone),
            "arqc": .string(arqc),
            "aid": .string(aid),
            "applabel": .string(applicationLabel),
            "url": .string(url),
            "identifier": .string(identifier),
            "bank": .string(bank),
            "accountType": .string(accountType),
            "name": .string(name),
            "bp_version": .string(ProductVersion.text),
            "outcome": .string(outcome.rawValue),
        ])
    }
}
