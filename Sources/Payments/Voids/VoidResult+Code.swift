public import StableCodes

extension VoidResult {
    /// What `readerctl void --json` says in `void`.
    public enum Code: String, DocumentedCode {
        case voided, alreadyVoided, notFound, notApproved, partlyRefunded, unknown, settled, otherDay, hostRefused
        case noAttempt, refusedOffline, underWay, storageFailed

        public var sentence: String {
            switch self {
            case .voided: "The whole sale is taken back."
            case .alreadyVoided: "It was taken back before; nothing was sent."
            case .notFound: "There is no such sale."
            case .notApproved: "The sale is not approved: there is nothing to take back."
            case .partlyRefunded: "Some of the sale has been refunded, or is being refunded."
            case .unknown: "The outcome of the sale, or of its void, is not known yet."
            case .settled: "The sale's batch is closed, or is being closed."
            case .otherDay: "The day of the sale in Mexico City is over."
            case .hostRefused: "The host refuses to void this sale."
            case .noAttempt: "The sale has no identity that the host knows."
            case .refusedOffline: "The host refused this sale, which was approved offline: no money has moved."
            case .underWay: "Another program is at work on this sale."
            case .storageFailed: "The ledger cannot be read or written."
            }
        }

        public var whoActs: WhoActs {
            switch self {
            case .voided, .alreadyVoided, .refusedOffline: .nobody
            case .notFound, .notApproved, .partlyRefunded, .unknown, .settled, .hostRefused, .noAttempt, .underWay,
                .storageFailed:
                .operator
            case .otherDay: .acquirer
            }
        }

        public var nextStep: String {
            switch self {
            case .voided: "None."
            case .alreadyVoided: "None."
            case .notFound: "List them with 'readerctl transactions'."
            case .notApproved: "Look at it with 'readerctl transaction ID'."
            case .partlyRefunded: "Refund the rest instead."
            case .unknown: "Run 'readerctl resolve'."
            case .settled: "Refund it instead, or ask the acquirer."
            case .otherDay: "Ask the acquirer to give it back."
            case .hostRefused: "Refund it instead."
            case .noAttempt: "Refund it instead."
            case .refusedOffline: "None: there is nothing to take back."
            case .underWay: "Try again in a moment."
            case .storageFailed: "Standard error says what to do."
            }
        }
    }

    public var code: Code {
        switch self {
        case .voided: .voided
        case .alreadyVoided: .alreadyVoided
        case .refused(let refusal, _): refusal.code
        case .unknown: .unknown
        case .underWay: .underWay
        case .ledger: .storageFailed
        }
    }
}
