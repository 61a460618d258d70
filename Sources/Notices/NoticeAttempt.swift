public import Ledger

/// What one attempt to deliver a notice came to.
public struct NoticeAttempt: Sendable, Hashable {
    /// The notice as it is now.
    public let delivery: DeliveryRecord
    /// Why it was not delivered, as a clause without address and secrets; nil when it was.
    public let problem: String?
    let ledgerError: LedgerError?

    init(_ delivery: DeliveryRecord, problem: String?, ledgerError: LedgerError? = nil) {
        self.delivery = delivery
        self.problem = problem
        self.ledgerError = ledgerError
    }

    public var isDelivered: Bool { delivery.state == "delivered" }
}
