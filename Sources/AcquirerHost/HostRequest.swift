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
    /// What is in the books.
    case reconciliation(Currency)
    /// A batch of the client's, to be compared and closed.
    case settlement(SettlementRequest)

    var operation: HostOperation {
        switch self {
        case .authorisation: .authorisation
        case .advice: .advice
        case .refund: .refund
        case .reversal: .reversal
        case .status: .status
        case .network: .network
        case .reconciliation, .settlement: .reconciliation
        }
    }

    var attempt: AttemptID? {
        switch self {
        case .authorisation(let request): request.attempt
        case .advice(let advice): advice.request.attempt
        case .refund(let request): request.attempt
        case .reversal(let request): request.attempt
        case .status(let attempt): attempt
        case .network, .reconciliation, .settlement: nil
        }
    }

    var amount: Amount? {
        switch self {
        case .authorisation(let request): request.amount
        case .advice(let advice): advice.request.amount
        case .refund(let request): request.amount
        case .reversal(let request): request.amount
        case .status, .network, .reconciliation, .settlement: nil
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
    case settlement(SettlementResponse)
    /// The host does not do it: a response code without anything booked.
    case refused(ResponseCode)
    /// Nothing at all is said.
    case silence
    /// Something is said that nobody can read.
    case garbage

    var responseCode: ResponseCode? {
        switch self {
        case .authorised(let response): response.responseCode
        case .reversal(.reversed), .accepted, .totals, .settlement(.agreed), .settlement(.differs(_, isClosed: true)):
            .approved
        // Reconcile error: the batch stays open.
        case .settlement(.differs): ResponseCode("95")
        // The requested function is not supported.
        case .settlement(.notKept): ResponseCode("40")
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
