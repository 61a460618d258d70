/// What became of the attempt to go online, and so what the second GENERATE AC asks for (Book 3, 10.9 and 10.11).
enum HostVerdict: Sendable, Hashable {
    case approved
    case declined
    /// Nobody answered; the terminal decided by its default action codes.
    case unableToGoOnline(asked: CryptogramType)

    var cryptogram: CryptogramType {
        switch self {
        case .approved: .transactionCertificate
        case .declined: .applicationAuthenticationCryptogram
        case .unableToGoOnline(let asked): asked
        }
    }

    /// What a fault of the card now means. After an approval it is a refusal that the host must hear of.
    var outcomeOfFault: KernelOutcome {
        switch self {
        case .approved: .declinedByCardAfterApproval
        case .declined: .declinedByIssuer
        case .unableToGoOnline: .declinedUnableToGoOnline
        }
    }
}
