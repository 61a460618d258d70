public import Ledger

/// Why a sale was not approved offline while the host could not be reached, although such approvals are switched on.
public enum OfflineRefusal: Sendable, Hashable {
    case cap(OfflineCap)
    /// The caps are in another currency.
    case currency
    /// The ledger did not hold the room, by the name of its error.
    case ledger(String)

    /// For the journal.
    var detail: String {
        switch self {
        case .cap(let cap): "cap \(cap.rawValue)"
        case .currency: "currency"
        case .ledger(let name): name
        }
    }

    /// One sentence for people: the reason, the setting that it comes from, and what to do.
    public var sentence: String {
        let forward = "'readerctl resolve' sends them when the host answers."
        return switch self {
        case .cap(.perSale):
            "Not approved offline: it is above the cap for one sale (offline.perSale). Take it when the host answers."
        case .cap(.total):
            "Not approved offline: together with the sales that wait for the host it is above their cap (offline.total). "
                + forward
        case .cap(.count):
            "Not approved offline: as many sales as may (offline.count) wait for the host already. " + forward
        case .cap(.wait):
            "Not approved offline: a sale has waited for the host for longer than it may (offline.waitHours). "
                + forward
        case .currency: "Not approved offline: the caps are in another currency. Take it when the host answers."
        case .ledger(let name):
            "Not approved offline: the ledger could not hold room for it (\(name)). Take it when the host answers."
        }
    }
}
