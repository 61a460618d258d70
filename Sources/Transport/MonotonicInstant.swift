/// A point on the monotonic clock, in nanoseconds since an arbitrary start. It never goes back and knows no calendar.
public struct MonotonicInstant: Hashable, Comparable, Sendable {
    public let nanoseconds: UInt64

    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The instant `duration` later. Negative durations count as zero; the sum saturates instead of wrapping.
    public func advanced(by duration: Duration) -> Self {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return Self(nanoseconds: overflow ? .max : sum)
    }

    /// Time from here to `later`; zero when `later` has passed.
    public func duration(to later: Self) -> Duration {
        guard later > self else { return .zero }
        let span = later.nanoseconds - nanoseconds
        return .nanoseconds(Int64(clamping: span))
    }
}

extension Duration {
    /// The duration in whole nanoseconds, clamped to `0 ... UInt64.max`.
    public var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (scaled, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return .max }
        let (sum, carry) = scaled.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
        return carry ? .max : sum
    }
}
