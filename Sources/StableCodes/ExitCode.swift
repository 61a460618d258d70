/// What a program of ReaderKit ends with: part of the contract of `readerctl`.
public enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
    case done = 0
    /// A bug, or a ledger that cannot be used.
    case internalError = 1
    case usage = 2
    case noReader = 3
    case readerUnusable = 4
    case declined = 5
    case cancelled = 6
    case unknownOutcome = 7
    case malformedInput = 8
    case refusedByRule = 9
}

extension ExitCode: DocumentedCode {
    public var name: String { String(rawValue) }

    public var sentence: String {
        switch self {
        case .done: "Done; for a sale or refund: approved."
        case .internalError: "The ledger cannot be used, or something went wrong that should not."
        case .usage: "The command line, the configuration or the request's data are wrong."
        case .noReader: "No reader was found."
        case .readerUnusable: "A reader was found but cannot be used, or was lost during use."
        case .declined: "The issuer or the card declined, or the card cannot be used: no money was taken."
        case .cancelled: "Cancelled or expired before any authorisation."
        case .unknownOutcome: "The outcome is not known yet: it is recorded, and something is left to be done."
        case .malformedInput: "The input data are malformed; what could be read is printed."
        case .refusedByRule: "A rule forbids it."
        }
    }

    public var whoActs: WhoActs {
        switch self {
        case .done: .nobody
        case .internalError, .noReader, .readerUnusable, .unknownOutcome, .refusedByRule: .operator
        case .usage, .malformedInput: .integrator
        case .declined, .cancelled: .payer
        }
    }

    public var nextStep: String {
        switch self {
        case .done: "None."
        case .internalError: "The sentence on standard error says what to do; report it when it asks for that."
        case .usage: "Correct what the sentence on standard error names."
        case .noReader: "Plug in a supported reader and run 'readerctl probe'."
        case .readerUnusable: "Run 'readerctl probe': every problem names its fix."
        case .declined: "Use another card, or pay otherwise."
        case .cancelled: "Start again when ready."
        case .unknownOutcome: "Run 'readerctl resolve'. Do not take the payment again by hand before."
        case .malformedInput: "Correct the data at the place that is named."
        case .refusedByRule: "The sentence on standard error names the rule."
        }
    }
}
