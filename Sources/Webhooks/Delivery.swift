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

    /// The same over all attempts.
    public let transactionID: String
    public private(set) var state = State.pending
    /// Attempts made, 0 and up.
    public private(set) var tries = 0
    /// Nil unless pending.
    public private(set) var dueAt: Int64?

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
    /// - Parameter status: of the HTTP answer; nil when none came. Only 200 ... 299 counts as delivered.
    public mutating func attempted(status: Int?, at now: Int64) {
        guard state == .pending else { return }
        tries += 1
        if let status, (200...299).contains(status) {
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
