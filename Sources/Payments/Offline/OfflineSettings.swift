public import Crypto
import Ledger
public import Money

/// Sales that are approved without the host: how many are taken, and the key under which they wait for it.
public struct OfflineSettings: Sendable {
    /// What may be approved. Amounts include the tip.
    public struct Approvals: Sendable, Hashable {
        /// The most for one sale, in the only currency in which sales are approved offline.
        public var perSale: Amount
        /// The most for all that the host has not confirmed, in the same currency.
        public var total: Amount
        /// The most that the host has not confirmed, 1 and up.
        public var count: Int
        /// How long one may wait; while one is older, no more are approved. It is forwarded all the same.
        public var longestWait: Duration
        /// The host is asked first, and the card approves only when it cannot be reached. Otherwise the card approves at
        /// once what lies below its floor limit, where the action codes have it so.
        public var asksHostFirst: Bool

        public init(
            perSale: Amount, total: Amount, count: Int, longestWait: Duration, asksHostFirst: Bool = true
        ) {
            self.perSale = perSale
            self.total = total
            self.count = count
            self.longestWait = longestWait
            self.asksHostFirst = asksHostFirst
        }

        var caps: OfflineCaps {
            OfflineCaps(
                perSale: perSale.minorUnits, total: total.minorUnits, count: count,
                longestWait: min(longestWait.components.seconds, .max / 1_000) * 1_000)
        }
    }

    let seal: PaymentSeal
    /// Nil: no more are approved, and those that are stored are forwarded.
    public let approvals: Approvals?

    /// Nil unless the key has 32 bytes.
    public init?(key: SecretBytes, approvals: Approvals?) {
        guard let seal = PaymentSeal(key: key) else { return nil }
        self.seal = seal
        self.approvals = approvals
    }
}
