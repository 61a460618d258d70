/// What is known when a transaction begins. It has no place for a PAN, track data, a PIN or a token.
public struct NewTransaction: Hashable, Sendable {
    /// Chosen by the caller, unique in the ledger; 1 to 64 characters.
    public var id: String
    /// The first state.
    public var state: StateName
    /// The states that it moves on to in the same commit, in this order, each with a line of its own in the journal.
    public var next: [StateName]
    /// Minor units without the tip, 0 ... 999_999_999_999.
    public var amount: Int64
    /// Minor units, 0 ... 999_999_999_999.
    public var tip: Int64
    /// ISO 4217 numeric code, for example 484.
    public var currency: UInt16
    /// The merchant's own mark; see `IdentifierRule` for its uniqueness.
    public var identifier: String?
    public var reference: String?
    public var email: String?
    public var phone: String?
    /// Monthly instalments without interest; 0 for none.
    public var msi: Int
    /// The identity of the attempt towards the issuer, unique in the ledger.
    public var attemptID: String?
    /// The reader that is to take the card.
    public var reader: String?
    /// The running program that is in charge of it.
    public var owner: String?
    /// Unix milliseconds: when somebody else is to look after it, should its program be gone by then.
    public var resolveAt: Int64?
    /// Of a refund: how the host is to be told.
    public var returnedAs: ReturnOperation?

    public init(
        id: String, state: StateName, next: [StateName] = [], amount: Int64, tip: Int64 = 0, currency: UInt16,
        identifier: String? = nil, reference: String? = nil, email: String? = nil, phone: String? = nil, msi: Int = 0,
        attemptID: String? = nil, reader: String? = nil, owner: String? = nil, resolveAt: Int64? = nil,
        returnedAs: ReturnOperation? = nil
    ) {
        self.id = id
        self.state = state
        self.next = next
        self.amount = amount
        self.tip = tip
        self.currency = currency
        self.identifier = identifier
        self.reference = reference
        self.email = email
        self.phone = phone
        self.msi = msi
        self.attemptID = attemptID
        self.reader = reader
        self.owner = owner
        self.resolveAt = resolveAt
        self.returnedAs = returnedAs
    }

    /// The state that it stays in.
    var lastState: StateName { next.last ?? state }
}
