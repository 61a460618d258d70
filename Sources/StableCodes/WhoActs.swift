/// Who must do something about a code. Closed: whoever reads it can route by it.
public enum WhoActs: String, Sendable, Hashable, CaseIterable {
    case nobody, payer, `operator`, integrator, acquirer, developers
}

extension WhoActs {
    /// Who that is, for people.
    public var sentence: String {
        switch self {
        case .nobody: "Nothing is wrong."
        case .payer: "The person who pays: another card, leave it in, start again."
        case .operator: "Whoever looks after the kiosk on the spot: cables, network, disk, what is to be resolved."
        case .integrator: "Whoever builds the kiosk: its installation, its configuration, the app or script that calls."
        case .acquirer: "The acquirer or the card's issuer, at the other end of the host line."
        case .developers: "ReaderKit's developers: it is a bug, please report it."
        }
    }
}
