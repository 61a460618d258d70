/// What the kernel wants next. It never does I/O: its owner sends the command, asks the host, and comes back.
public enum KernelStep: Sendable {
    /// Send this to the card and give the answer to `receive(_:)`.
    case transmit(CommandAPDU)
    /// Ask the cardholder which application to use (in this order), or to confirm the only one; answer with
    /// `applicationChosen(_:)`. Comes only if the terminal `asksForApplication`.
    case chooseApplication([Candidate])
    /// Ask for a PIN and give the answer to `pinAnswered(_:)`. Comes only if the terminal's capabilities offer one.
    case askForPIN(PINRequest)
    /// The card would be asked for a TC without the issuer: say whether it may be with `offlineApprovalAnswered(_:)`. Comes
    /// only with `OfflineApprovalRule.onPermission`.
    case approveOffline
    /// The card gave an ARQC: ask the issuer and give the answer to `hostAnswered(_:)`.
    case goOnline
    /// The transaction is over; the card may be powered off.
    case finished(KernelOutcome)
}

/// The host's answer, as far as the card is concerned.
public enum HostAnswer: Sendable, Hashable {
    /// `responseCode`: the two characters of tag 8A. `issuerData`: TLV with 91, 71, 72 as the host sent it.
    case answered(responseCode: [UInt8], isApproved: Bool, issuerData: [UInt8])
    /// Nobody could be asked, or nobody answered.
    case unableToGoOnline

    /// The issuer has said yes.
    public var isApproval: Bool {
        if case .answered(_, true, _) = self { true } else { false }
    }
}

public enum KernelOutcome: Sendable, Hashable {
    /// TC after the issuer's approval.
    case approved
    /// TC without the issuer: at once (ARC Y1), or because it could not be reached (Y3). An advice is owed to the host.
    case approvedOffline(afterFailedAttempt: Bool)
    /// A refund: the card identified itself and was ended with an AAC, as meant.
    case identified
    /// The cardholder cancelled at the PIN pad or at the choice of the application.
    case cancelledByCardholder
    /// The issuer declined, and the card was told.
    case declinedByIssuer
    /// AAC instead of an ARQC: the issuer was never asked.
    case declinedOffline(OfflineDecline)
    /// The issuer approved, but the card refused: the host must be told to reverse.
    case declinedByCardAfterApproval
    /// No answer from the host; the card was ended with an AAC (ARC Z3).
    case declinedUnableToGoOnline
    /// No application here that the terminal takes; nothing was started.
    case notAccepted(SelectionFailure)
    /// The card broke the rules. Before the online step no money can have moved; after it the owner must reverse.
    case cardError(CardFault)
}

public enum OfflineDecline: Sendable, Hashable {
    /// The card's own risk management, or the terminal's action codes.
    case cardOrTerminalDecision
    /// CID reason code 1: the service is not allowed with this card.
    case serviceNotAllowed
}

public enum SelectionFailure: String, Sendable, Hashable {
    /// 6A81: the card is blocked or cannot SELECT.
    case cardBlocked
    /// Only blocked applications in common.
    case applicationBlocked
    /// Nothing in common.
    case noCommonApplication
}

/// Where and how the card broke the rules, for the log and the support desk. No card data.
public struct CardFault: Sendable, Hashable, CustomStringConvertible {
    public enum Stage: String, Sendable {
        case selection, initiation, reading, analysis, firstGenerateAC, secondGenerateAC
    }

    public let stage: Stage
    public let reason: String

    public init(stage: Stage, reason: String) {
        self.stage = stage
        self.reason = reason
    }

    public var description: String { "\(stage.rawValue): \(reason)" }
}
