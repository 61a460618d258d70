public import Money

/// The host's answer to an authorisation or a refund.
public struct AuthorisationResponse: Sendable, Hashable {
    public enum AccountType: String, Sendable, Hashable {
        case credit
        case debit
    }

    public let responseCode: ResponseCode
    /// Field 38: six characters; nil when declined.
    public let authorisationCode: String?
    /// BER-TLV for the card as it came: 91, 71, 72; may be empty. Parse it leniently.
    public let issuerData: [UInt8]
    /// What was really approved: less than asked for when `responseCode.isPartial`, zero when declined.
    public let approvedAmount: Amount
    public let accountType: AccountType?
    /// The issuer's name, when the host tells it.
    public let bank: String?
    /// The host's own reference, for people who look into its books.
    public let hostReference: String

    public init(
        responseCode: ResponseCode, authorisationCode: String?, issuerData: [UInt8], approvedAmount: Amount,
        accountType: AccountType?, bank: String?, hostReference: String
    ) {
        self.responseCode = responseCode
        self.authorisationCode = authorisationCode
        self.issuerData = issuerData
        self.approvedAmount = approvedAmount
        self.accountType = accountType
        self.bank = bank
        self.hostReference = hostReference
    }
}

/// What a host has in its books for an attempt.
public enum AttemptStatus: Sendable, Hashable {
    /// Approved, wholly or in part (`responseCode.isPartial`), and not reversed.
    case approved(AuthorisationResponse)
    case declined(AuthorisationResponse)
    case reversed
    /// The host never saw it: no money moved.
    case notFound
}
