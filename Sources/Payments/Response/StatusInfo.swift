public import Gateways

/// The `statusinfo` catalogue: stable codes, each with the Spanish text that goes out in a reply.
public enum StatusInfo: Sendable, Hashable {
    /// Approved: the text is empty.
    case none
    case cancelled
    case missingField(String)
    case invalidField(String)
    /// The user token of a request by URL is unknown or has expired.
    case invalidToken
    case readerMissing
    case readerUnusable
    case readerLost
    case cardRemoved
    case cardFault
    case cardNotAccepted
    case expired
    /// A photo was asked for and none was given.
    case photoRequired
    /// The amount is too small for so many months without interest.
    case msiMinimum(months: Int)
    case busy
    /// The identifier has been used for another payment.
    case duplicate
    case notFound
    case notApproved
    case tooSoon
    case tooLate
    case tooMuch
    case unknown
    case reversed
    /// The same, when the cause was the loss of the reader.
    case reversedReaderLost
    /// The program ended before the issuer was asked; found by a later run.
    case interrupted
    /// A person found out that the issuer had declined.
    case declinedByOperator
    /// The issuer's response code and its short text.
    case issuerDeclined(code: String, text: String)
    /// The card declined without the issuer being asked.
    case cardDeclined
    /// The host could not be asked; no money moved.
    case hostError(GatewayError.Code)
    /// The ledger could not promise to remember the payment, so none was started.
    case storageFailed
    /// The kiosk's own configuration cannot be used; nothing was begun.
    case notConfigured

    /// The entry of the catalogue; nil on approval.
    public var listed: Code? {
        switch self {
        case .none: nil
        case .cancelled: .cancelled
        case .missingField: .missingField
        case .invalidField: .invalidField
        case .invalidToken: .invalidToken
        case .readerMissing: .readerMissing
        case .readerUnusable: .readerUnusable
        case .readerLost: .readerLost
        case .cardRemoved: .cardRemoved
        case .cardFault: .cardFault
        case .cardNotAccepted: .cardNotAccepted
        case .expired: .expired
        case .photoRequired: .photoRequired
        case .msiMinimum: .msiMinimum
        case .busy: .busy
        case .duplicate: .duplicate
        case .notFound: .notFound
        case .notApproved: .notApproved
        case .tooSoon: .tooSoon
        case .tooLate: .tooLate
        case .tooMuch: .tooMuch
        case .unknown: .unknown
        case .reversed: .reversed
        case .reversedReaderLost: .reversedReaderLost
        case .interrupted: .interrupted
        case .declinedByOperator: .declinedByOperator
        case .issuerDeclined: .issuerDeclined
        case .cardDeclined: .cardDeclined
        case .hostError: .hostError
        case .storageFailed: .storageFailed
        case .notConfigured: .notConfigured
        }
    }

    /// The stable name, as stored in the ledger; empty on approval.
    public var code: String { listed?.rawValue ?? "" }

    /// What the caller's `statusinfo` says; empty on approval.
    public var text: String {
        guard let listed else { return "" }
        switch self {
        case .missingField(let key), .invalidField(let key): return listed.text(key)
        case .msiMinimum(let months): return listed.text(String(months))
        case .issuerDeclined(let code, let text): return listed.text(code, text)
        case .hostError(let error): return listed.text(String(error.number))
        default: return listed.text()
        }
    }
}
