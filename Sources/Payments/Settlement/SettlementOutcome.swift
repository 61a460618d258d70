public import Gateways
public import Ledger

/// What a settlement came to, for one currency.
public enum SettlementOutcome: Sendable {
    /// For good.
    ///
    /// - Parameter leftOut: what has no end yet and goes into a later batch.
    case closed(BatchRecord, leftOut: [UnresolvedPayment])
    /// Nothing has moved money since the last batch: no number is used.
    case nothing(leftOut: [UnresolvedPayment])
    /// These must be resolved first, the oldest first. Nothing was written or sent.
    case blocked([UnresolvedPayment])
    /// The host has counted something else, twice, and has not closed the batch. Its members are free again.
    case differs(BatchRecord)
    /// Payments were made while both sides were compared, so that a difference means nothing. Nothing is closed.
    case moving(BatchRecord)
    /// The host may have closed the batch or not. It keeps its members and totals, and the next settlement asks again.
    case noAnswer(BatchRecord, GatewayError)
    /// Another program settles.
    case underWay
    /// Not read, or not written. A batch that was opened is gone on with by the next settlement.
    case ledger(LedgerError)
}

/// A payment that nobody knows the end of, and what a person can do about it.
public struct UnresolvedPayment: Sendable, Hashable {
    public enum Remedy: String, Sendable, Hashable {
        /// Its program is at work on it.
        case wait
        /// Recovery can find it out.
        case resolve
        /// It is in `manualReview`.
        case decide
        /// It was approved offline, and the host has not heard of it: recovery can send it.
        case forward
    }

    public var record: TransactionRecord
    public var remedy: Remedy

    init(_ record: TransactionRecord, in directory: RunningDirectory) {
        self.record = record
        if record.state == PaymentState.manualReview.name {
            remedy = .decide
        } else if let program = Recovery.programInCharge(of: record), directory.isRunning(program) {
            remedy = .wait
        } else if Recovery.isStored(record), !Recovery.owesVoid(record) {
            remedy = .forward
        } else {
            remedy = .resolve
        }
    }
}
