public import Money

/// What a caller asks for in a sale (`venta`), checked: a value of this type can be carried out.
public struct SaleRequest: Sendable, Hashable {
    /// Without the tip; more than zero.
    public let amount: Amount
    public let tip: Amount
    /// amount + tip: what the chip sees in 9F02.
    public let total: Amount
    public let instalments: Instalments
    public let details: RequestDetails

    /// - Throws: `RequestProblem` when the amount is zero or amount + tip needs more than twelve digits.
    public init(
        amount: Amount, tip: Amount? = nil, instalments: Instalments = .single, details: RequestDetails
    ) throws(RequestProblem) {
        let tip = tip ?? .zero(amount.currency)
        guard !amount.isZero else {
            throw RequestProblem(field: "amount", sentence: "The amount must be more than zero.")
        }
        guard let total = amount.adding(tip) else {
            throw RequestProblem(field: "tip", sentence: "Amount and tip together need more than twelve digits.")
        }
        self.amount = amount
        self.tip = tip
        self.total = total
        self.instalments = instalments
        self.details = details
    }
}

/// The texts that go along with a request and come back in its reply, checked for length (in Unicode scalars).
public struct RequestDetails: Sendable, Hashable {
    /// At most 256; empty = not sent. A request with an identifier is carried out once: see `docs/payments.md`.
    public let identifier: String
    /// Whose identifiers they are, for callers that must not meet each other's: a digest of the caller's token, for
    /// example, never the token itself. Empty for the only caller.
    public let scope: String
    /// At most 256.
    public let reference: String
    /// At most 150.
    public let email: String
    /// At most 14.
    public let phone: String

    public init(
        identifier: String = "", reference: String = "", email: String = "", phone: String = "",
        scope: String = ""
    ) throws(RequestProblem) {
        try Self.check(identifier, "identifier", limit: 256)
        try Self.check(reference, "reference", limit: 256)
        try Self.check(email, "email", limit: 150)
        try Self.check(phone, "phone", limit: 14)
        self.identifier = identifier
        self.reference = reference
        self.email = email
        self.phone = phone
        self.scope = scope
    }

    private static func check(_ text: String, _ field: String, limit: Int) throws(RequestProblem) {
        guard text.unicodeScalars.count <= limit else {
            throw RequestProblem(field: field, sentence: "The \(field) is too long: at most \(limit) characters.")
        }
    }
}
