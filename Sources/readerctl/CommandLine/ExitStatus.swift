import Glibc
import Payments
import Readers
import StableCodes

/// What a command comes to. The numbers and their meaning are those of `ExitCode`.
enum ExitStatus: CaseIterable {
    case done, internalError, usage, noReader, readerUnusable, declined, cancelled, unknownOutcome, malformedInput
    case refusedByRule
    /// Nobody reads the rest of the result: as if SIGPIPE had ended the program.
    case unread

    /// Nil: the status of a signal.
    private var code: ExitCode? {
        switch self {
        case .done: .done
        case .internalError: .internalError
        case .usage: .usage
        case .noReader: .noReader
        case .readerUnusable: .readerUnusable
        case .declined: .declined
        case .cancelled: .cancelled
        case .unknownOutcome: .unknownOutcome
        case .malformedInput: .malformedInput
        case .refusedByRule: .refusedByRule
        case .unread: nil
        }
    }

    var rawValue: Int32 { code?.rawValue ?? 128 + SIGPIPE }

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
        case .card, .notAccepted, .gateway, .notApprovedOffline, nil: .declined
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
