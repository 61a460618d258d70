public import Ledger

/// What an attempt to resolve a transaction came to.
public struct Resolution: Sendable, Hashable {
    /// As it is now.
    public var record: TransactionRecord
    /// The state in which it was found.
    public var found: StateName
    /// Why it is as it is now, in English, without card data.
    public var reason: String
    /// Somebody else is at work on it: the program that takes the payment, or another that resolves it.
    public var isUnderWay: Bool

    init(_ record: TransactionRecord, found: StateName, reason: String, isUnderWay: Bool = false) {
        self.record = record
        self.found = found
        self.reason = reason
        self.isUnderWay = isUnderWay
    }

    /// Nobody knows its end yet, a person has to find it out, or it is still to be voided or forwarded.
    public var isOpen: Bool { Recovery.isUnresolved(record) || Recovery.isStored(record) }

    public var needsPerson: Bool { record.state == PaymentState.manualReview.name }
}
