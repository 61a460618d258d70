public import JSONText

/// What the notice of an approved transaction tells, with the names and types of Kushki's card-present webhook.
public struct ApprovedTransaction: Sendable, Hashable {
    /// Two decimals, without the tip.
    public var amount: String
    /// Two decimals.
    public var tip = "0.00"
    /// Months of deferral; 1 for none.
    public var payments: Int64 = 1
    /// When it was approved, unix milliseconds.
    public var approvedAt: Int64
    public var reference = ""
    /// Our unique id: the same in every attempt, so that a receiver can tell a repetition by it.
    public var transactionID: String
    /// The issuer's approval code.
    public var authorization = ""
    /// The last four digits, never more.
    public var creditCard = ""
    public var cardType = ""
    /// Sixteen hex digits.
    public var arqc = ""
    public var userID: Int64 = 0
    /// Hex.
    public var aid = ""
    public var applicationLabel = ""
    public var url = ""
    public var uniqueReference = ""

    public init(transactionID: String, amount: String, approvedAt: Int64) {
        self.transactionID = transactionID
        self.amount = amount
        self.approvedAt = approvedAt
    }

    /// The documented keys in the documented order.
    public var jsonValue: JSONValue {
        .object([
            "result": "aprobada",
            "amount": .string(amount),
            "tip": .string(tip),
            "payments": .integer(payments),
            "authorizationTime": .string(InternetTimeText.utc(milliseconds: approvedAt)),
            "reference": .string(reference),
            "transactionid": .string(transactionID),
            "authorization": .string(authorization),
            "creditcard": .string(creditCard),
            "cardtype": .string(cardType),
            "arqc": .string(arqc),
            "userID": .integer(userID),
            "aid": .string(aid),
            "applabel": .string(applicationLabel),
            "url": .string(url),
            "uniqueReference": .string(uniqueReference),
        ])
    }

    /// The bytes that are signed, and sent as they are.
    public var body: [UInt8] { Array(jsonValue.compactText.utf8) }
}
