import Payments
import Readers

/// The exit statuses of `readerctl`: part of its contract.
enum ExitStatus: Int32 {
    case done = 0
    /// A bug: please report.
    case internalError = 1
    case usage = 2
    case noReader = 3
    case readerUnusable = 4
    case declined = 5
    case cancelled = 6
    case unknownOutcome = 7
    case malformedInput = 8
    case refusedByRule = 9

    init(_ result: PaymentResult) {
        switch result.response.outcome {
        case .approved: self = .done
        case .declined: self = .declined
        case .cancelled, .expired: self = .cancelled
        case .unknown: self = .unknownOutcome
        case .failed: self = Self.failed(result.failure)
        }
    }

    /// No money moved. Who refused decides: a rule, the reader, or the card and the host together.
    private static func failed(_ failure: PaymentFailure?) -> ExitStatus {
        switch failure {
        case .rule, .instalmentMinimum, .alreadyRefunded: .refusedByRule
        // A card pulled after the approval is no longer a cancel: the payment was made, and taken back.
        case .reader(let error): ExitStatus(error) == .cancelled ? .declined : ExitStatus(error)
        case .ledger, .library: .internalError
        case .recorded(let info): recorded(info)
        case .card, .notAccepted, .gateway, nil: .declined
        }
    }

    /// The status that the first run of the payment ended with.
    private static func recorded(_ info: StatusInfo) -> ExitStatus {
        switch info {
        case .readerMissing: .noReader
        case .readerUnusable, .readerLost, .reversedReaderLost, .busy: .readerUnusable
        case .storageFailed: .internalError
        default: .declined
        }
    }

    init(_ error: ReaderError) {
        switch error.code {
        case .ambiguous: self = .usage
        case .notFound: self = .noReader
        case .cancelled, .cardNotInserted, .cardRemoved: self = .cancelled
        case .cardMute, .cardUnusable: self = .declined
        default: self = .readerUnusable
        }
    }
}
