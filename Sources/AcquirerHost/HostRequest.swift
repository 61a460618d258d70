import Gateways
public import Money

/// What a client asks the host, whatever the protocol.
enum HostRequest: Sendable {
    case authorisation(AuthorisationRequest)
    case advice(OfflineAdvice)
    case refund(RefundAuthorisation)
    case reversal(ReversalRequest)
    case status(AttemptID)
    /// Sign-on, sign-off, echo.
    case network
    case reconciliation(Currency)

    var operation: HostOperation {
        switch self {
        case .authorisation: .authorisation
        case .advice: .advice
        case .refund: .refund
        case .reversal: .reversal
        case .status: .status
        case .network: .network
        case .reconciliation: .reconciliation
        }
    }

    var attempt: AttemptID? {
        switch self {
        case .authorisation(let request): request.attempt
        case .advice(let advice): advice.request.attempt
        case .refund(let request): request.attempt
        case .reversal(let request): request.attempt
        case .status(let attempt): attempt
        case .network, .reconciliation: nil
        }
    }

    var amount: Amount? {
        switch self {
        case .authorisation(let request): request.amount
        case .advice(let advice): advice.request.amount
        case .refund(let request): request.amount
        case .reversal(let request): request.amount
        case .status, .network, .reconciliation: nil
        }
    }
}

/// What the host says to it.
enum HostReply: Sendable {
    case authorised(AuthorisationResponse)
    case reversal(ReversalResponse)
    case status(AttemptStatus)
    case accepted
    case totals(HostTotals)
    /// The host does not do it: a response code without anything booked.
    case refused(ResponseCode)
    /// Nothing at all is said.
    case silence
    /// Something is said that nobody can read.
    case garbage

    var responseCode: ResponseCode? {
        switch self {
        case .authorised(let response): response.responseCode
        case .reversal(.reversed), .accepted, .totals: .approved
        case .reversal(.nothingToReverse), .status(.notFound): ResponseCode("25")
        case .reversal(.refused(let code)), .refused(let code): code
        case .status: .approved
        case .silence, .garbage: nil
        }
    }
}

/// The host's books in one currency.
public struct HostTotals: Sendable, Hashable {
    public var currency: Currency
    public var sales = 0
    public var refunds = 0
    public var reversals = 0
    /// Minor units.
    public var salesAmount: Int64 = 0
    public var refundsAmount: Int64 = 0
    /// What reversals have taken from, and given to, the merchant.
    public var reversalsAmount: Int64 = 0
    /// What the merchant has got in all.
    public var net: Int64 = 0

    init(_ entries: [BookEntry], in currency: Currency) {
        self.currency = currency
        for entry in entries where entry.amount.currency == currency {
            switch entry.kind {
            case .sale:
                sales += 1
                salesAmount += entry.amount.minorUnits
            case .refund:
                refunds += 1
                refundsAmount += entry.amount.minorUnits
            case .reversal:
                reversals += 1
                reversalsAmount += entry.signedMinorUnits
            }
            net += entry.signedMinorUnits
        }
    }
}
