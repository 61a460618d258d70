import Ledger

/// How the host is told to give the money of an approved sale back. A host takes a whole sale back (a void) on the sale's
/// own day and before its batch; everything else is a movement of its own (a refund).
///
/// | the rule that holds first | the host is told |
/// |---|---|
/// | a part is returned, or a part was before | refund |
/// | the sale is in a batch, closed or being closed | refund |
/// | it is another day in Mexico City, or 23:59 there or later | refund |
/// | the host has refused three voids of it | refund |
/// | none | void |
///
/// Whether a sale may be refunded at all is another question: `RefundWindow`.
enum ReturnChoice: Sendable, Hashable {
    case void
    case refund(Reason)

    /// Why the sale cannot be voided.
    enum Reason: String, Sendable, Hashable, CaseIterable {
        case part, batch, late, refused
    }

    /// So often a host is asked for a void that it refuses.
    static let mostRefusals = 3

    /// What the choice depends on. Amounts are minor units of one currency, the tip included.
    struct Facts: Sendable, Hashable {
        /// Of the sale.
        var total: Int64
        /// What is to be returned.
        var amount: Int64
        /// What was returned before, or may have been.
        var returned: Int64
        var isInBatch: Bool
        /// Unix milliseconds.
        var soldAt: Int64
        /// Unix milliseconds.
        var now: Int64
        /// Voids of this sale that the host has refused.
        var refusals = 0
    }

    /// - Parameter zone: of the sale's day.
    init(_ facts: Facts, zone: TimeZoneRule) {
        let today = zone.civilTime(atMilliseconds: facts.now)
        let isLastMinute = today.hour == 23 && today.minute == 59
        if facts.amount != facts.total || facts.returned != 0 {
            self = .refund(.part)
        } else if facts.isInBatch {
            self = .refund(.batch)
        } else if isLastMinute || !today.isSameDay(as: zone.civilTime(atMilliseconds: facts.soldAt)) {
            self = .refund(.late)
        } else if facts.refusals >= Self.mostRefusals {
            self = .refund(.refused)
        } else {
            self = .void
        }
    }

    /// As the ledger keeps it.
    var operation: ReturnOperation {
        switch self {
        case .void: .void
        case .refund: .refund
        }
    }
}
