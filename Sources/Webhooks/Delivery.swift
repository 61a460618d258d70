/// One notice on its way: how often it was tried, and when it is tried next. Times are unix milliseconds of the caller's
/// clock.
public struct Delivery: Sendable, Hashable {
    public enum State: String, Sendable, Hashable, CaseIterable {
        case pending, delivered
        /// Every retry has failed; only a person can send it now.
        case dead
    }

    /// Milliseconds from each failed attempt to the next; after the last one the notice is dead.
    public static let waits: [Int64] = [
        15, 15, 30, 60, 120, 300, 300, 600, 1_200, 1_800, 1_800, 3_600, 3_600, 7_200, 14_400,
    ].map { $0 * 1_000 }

    /// The longest of them.
    public static let longestWait: Int64 = 14_400_000

    /// The same over all attempts.
    public let transactionID: String
    public private(set) var state = State.pending
    /// Attempts made, 0 and up.
    public private(set) var tries = 0
    /// Nil unless pending.
    public private(set) var dueAt: Int64?

    /// One that is on its way since before, due at once.
    ///
    /// - Parameter tries: attempts made, 0 and up.
    public init(transactionID: String, tries: Int, at now: Int64) {
        self.init(transactionID: transactionID, at: now)
        self.tries = max(0, tries)
    }

    /// A new one, due at once.
    public init(transactionID: String, at now: Int64) {
        self.transactionID = transactionID
        dueAt = now
    }

    public func isDue(at now: Int64) -> Bool {
        dueAt.map { $0 <= now } ?? false
    }

    /// Records an attempt. One that is delivered or dead stays as it is.
    ///
    /// - Parameter isAccepted: the receiver answered 200 ... 299.
    public mutating func attempted(isAccepted: Bool, at now: Int64) {
        guard state == .pending else { return }
        tries = min(tries, Int.max - 1) + 1
        if isAccepted {
            state = .delivered
            dueAt = nil
        } else if tries <= Self.waits.count {
            dueAt = now.addingReportingOverflow(Self.waits[tries - 1]).partialValue
        } else {
            state = .dead
            dueAt = nil
        }
    }
}
