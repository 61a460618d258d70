public import Money

/// A request to take back a whole attempt. The card is not needed.
public struct ReversalRequest: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The host did not answer in time, or not usably.
        case noAnswer
        /// The host approved and the card declined in its second cryptogram.
        case cardDeclined
        /// The card left before its second cryptogram.
        case cardRemoved
        /// The journal showed an open attempt at start.
        case restart
        /// A known success is taken back the same day.
        case void
    }

    /// The attempt that is taken back.
    public let attempt: AttemptID
    /// What the attempt had asked for.
    public let amount: Amount
    public let reason: Reason
    /// BER-TLV as it stands at the end: 95, 9B and 9F5B; may be empty.
    public let chipData: [UInt8]

    public init(attempt: AttemptID, amount: Amount, reason: Reason, chipData: [UInt8] = []) {
        self.attempt = attempt
        self.amount = amount
        self.reason = reason
        self.chipData = chipData
    }
}

/// What became of a reversal. After `reversed` and `nothingToReverse` no money of the attempt has moved or will move.
public enum ReversalResponse: Sendable, Hashable {
    /// The attempt was booked and is taken back now, or was taken back before.
    case reversed(hostReference: String)
    /// The host has not booked the attempt, and will refuse it if it still arrives.
    case nothingToReverse
    /// The host will not take it back, for example because part of it was refunded.
    case refused(ResponseCode)
}
