public import Gateways
public import Ledger

/// What a request to void a sale came to, with the sale as the ledger has it now.
public enum VoidResult: Sendable {
    case voided(TransactionRecord)
    /// Nothing was sent.
    case alreadyVoided(TransactionRecord)
    /// The sale stands; nothing is owed.
    case refused(VoidRefusal, TransactionRecord?)
    /// The host did not answer: the sale is shown as approved, and recovery goes on with the void.
    case unknown(GatewayError, TransactionRecord)
    case underWay(TransactionRecord)
    /// The host has not been asked, or has voided the sale and a later run will find that out.
    case ledger(LedgerError, TransactionRecord?)
}

/// Why a sale is not voided.
public enum VoidRefusal: Sendable, Hashable {
    case notFound
    /// Declined, reversed, refunded and so on: there is nothing to take back.
    case notApproved
    /// Part of it was given back, or may have been.
    case partlyRefunded
    /// Nobody knows the sale's own outcome yet.
    case unresolved
    /// It is in a batch, which is closed or being closed.
    case settled
    /// A void is for the day of the sale in Mexico City.
    case otherDay
    case host(ResponseCode)
    /// It has no identity that the host knows.
    case noAttempt
    /// It was approved offline, and the host does not pay for it.
    case refusedOffline

    /// Why a sale in this state is not voided; nil for an approved one.
    init?(_ state: StateName) {
        switch PaymentState(state) {
        case .approved: return nil
        case .authorizing, .unknown, .manualReview, .partiallyApproved: self = .unresolved
        case .partiallyRefunded, .refunded: self = .partlyRefunded
        case .settled: self = .settled
        default: self = .notApproved
        }
    }

    /// The stable name.
    public var code: VoidResult.Code {
        switch self {
        case .notFound: .notFound
        case .notApproved: .notApproved
        case .partlyRefunded: .partlyRefunded
        case .unresolved: .unknown
        case .settled: .settled
        case .otherDay: .otherDay
        case .host: .hostRefused
        case .noAttempt: .noAttempt
        case .refusedOffline: .refusedOffline
        }
    }

    /// One sentence for people, and what to do.
    public var sentence: String {
        switch self {
        case .notFound: "There is no such sale. List them with 'readerctl transactions'."
        case .notApproved: "The sale is not approved, so there is nothing to void."
        case .partlyRefunded:
            "Some of this sale has been refunded, or is being refunded, so it cannot be voided. Refund the rest instead."
        case .unresolved: "The outcome of this sale is not known yet; run 'readerctl resolve' first."
        case .settled:
            "The sale's batch is closed, or is being closed, so it cannot be voided. Refund it instead, or ask the "
                + "acquirer to return the money."
        case .otherDay:
            "A sale can be voided on its own day in Mexico City, and that day is over. Ask the acquirer to give it back."
        case .host(let code): "The host refuses to void this sale (\(code)). Refund it instead."
        case .refusedOffline:
            "The host refused this sale, which was approved offline: no money has moved, so there is nothing to take back."
        case .noAttempt: "The sale has no identity that the host knows, so it cannot be voided. Refund it instead."
        }
    }
}
