public import EMV
public import Gateways
public import Ledger
public import Money
public import Readers

/// What a sale or refund came to: the reply for the caller, and the cause for the people who must act on it.
public struct PaymentResult: Sendable {
    public let response: PaymentResponse
    /// Why it did not end in an approval; nil when it did, or when the issuer said no.
    public let failure: PaymentFailure?
    /// How the host has given the money of an approved refund back; nil for everything else.
    public let returnedAs: ReturnOperation?
    /// How far the host knows of a sale that was approved without it; nil for everything else.
    public let offline: OfflineState?

    public init(
        _ response: PaymentResponse, failure: PaymentFailure? = nil, returnedAs: ReturnOperation? = nil,
        offline: OfflineState? = nil
    ) {
        self.response = response
        self.failure = failure
        self.returnedAs = returnedAs
        self.offline = offline
    }
}

/// The cause of an outcome other than approved, by who must act.
public enum PaymentFailure: Error, Sendable {
    case reader(ReaderError)
    case card(CardFault)
    case notAccepted(SelectionFailure)
    case gateway(GatewayError)
    /// The host was not reached, and a rule stood in the way of an approval without it.
    case notApprovedOffline(GatewayError, OfflineRefusal)
    case ledger(LedgerError)
    /// A refund that its rules do not allow, or an identifier that was used before for other data.
    case rule(StatusInfo)
    /// The sale's total is below the minimum of its plan of months without interest; nothing was begun.
    case instalmentMinimum(Instalments, Amount)
    /// A refund of everything that is left, when nothing is.
    case alreadyRefunded
    /// What an earlier run of the payment came to, as the ledger tells it.
    case recorded(StatusInfo)
    /// The system's cryptographic library failed; nothing was begun.
    case library(String)

    /// One sentence for people, and what to do.
    public var sentence: String {
        switch self {
        case .reader(let error): "\(error.code.sentence) \(error.code.nextStep)"
        case .card(let fault): "The card did not follow the rules (\(fault)). Use another card."
        case .notAccepted(.cardBlocked): "The card is blocked. Use another card."
        case .notAccepted(.applicationBlocked): "The card's application is blocked. Use another card."
        case .notAccepted(.noCommonApplication): "The card has no application that this kiosk takes. Use another card."
        case .gateway(let error): Self.sentence(error)
        case .notApprovedOffline(let error, let refusal): "\(Self.sentence(error)) \(refusal.sentence)"
        case .ledger(let error): "\(error.sentence) \(error.nextStep)"
        case .rule(.notFound): "There is no such sale. List them with 'readerctl transactions'."
        case .rule(.notApproved): "The sale is not approved, so there is nothing to refund."
        case .rule(.tooSoon): "A sale can be refunded one minute after its approval. Try again in a moment."
        case .rule(.tooLate): "A sale can be refunded on its own day, before 23:00 in Mexico City, and not later."
        case .rule(.tooMuch): "The amount is more than what is left to refund of this sale."
        case .rule(.unknown): "The outcome of this sale is not known yet; nothing was refunded."
        case .rule(.duplicate):
            "This identifier was used before for other data, so nothing was done. Give each payment one of its own."
        case .rule(let info): info.text
        case .instalmentMinimum(let plan, let minimum):
            "\(plan.rawValue) months without interest are offered from \(minimum) \(minimum.currency.code) on, tip "
                + "included. Choose fewer months, or 0."
        case .alreadyRefunded: "Everything of this sale has been refunded already."
        case .recorded(let info):
            "The payment was not made (\(info.code)). To try again, use another identifier."
        case .library(let finding): "The system's cryptographic library does not work (\(finding))."
        }
    }

    /// With the codes that `docs/errors.md` explains.
    private static func sentence(_ error: GatewayError) -> String {
        "\(error) (\(error.code.number), \(error.code.rawValue))"
    }
}
