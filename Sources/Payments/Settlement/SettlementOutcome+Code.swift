public import StableCodes

extension SettlementOutcome {
    /// What `readerctl settle --json` says in `result`.
    public enum Code: String, DocumentedCode {
        case closed, nothing, blocked, differs, moving, noAnswer, underWay, storageFailed

        public var sentence: String {
            switch self {
            case .closed: "The batch is closed."
            case .nothing: "There is nothing to settle."
            case .blocked: "Something has no end yet and stands in the way."
            case .differs: "The host has counted something else."
            case .moving: "Payments were made while both sides were compared."
            case .noAnswer: "The host gave no answer; it may have closed the batch or not."
            case .underWay: "Another program is settling."
            case .storageFailed: "The ledger cannot be read or written."
            }
        }

        public var whoActs: WhoActs {
            switch self {
            case .closed, .nothing: .nobody
            case .blocked, .moving, .noAnswer, .underWay, .storageFailed: .operator
            case .differs: .acquirer
            }
        }

        public var nextStep: String {
            switch self {
            case .closed: "None."
            case .nothing: "None."
            case .blocked: "Do for each what its 'remedy' says, then run it again."
            case .differs: "Compare both sides with the acquirer, then settle with --force."
            case .moving: "Run it again when no payment is under way."
            case .noAnswer: "Run it again: it goes on with the same batch."
            case .underWay: "Wait until it has finished."
            case .storageFailed: "Look up 'reason' among the codes of the ledger."
            }
        }
    }

    public var code: Code {
        switch self {
        case .closed: .closed
        case .nothing: .nothing
        case .blocked: .blocked
        case .differs: .differs
        case .moving: .moving
        case .noAnswer: .noAnswer
        case .underWay: .underWay
        case .ledger: .storageFailed
        }
    }
}
