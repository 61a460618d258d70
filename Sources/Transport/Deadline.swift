/// The instant at which a wait is over, on the monotonic clock. One deadline is made for a whole operation and handed
/// down through every layer, so that a device that trickles bytes cannot stretch the operation.
public struct Deadline: Hashable, Comparable, Sendable {
    public let instant: MonotonicInstant

    public init(_ instant: MonotonicInstant) {
        self.instant = instant
    }

    public static func after(_ duration: Duration, on clock: any MonotonicClock) -> Self {
        Self(clock.now().advanced(by: duration))
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.instant < right.instant
    }

    /// What is left; zero when it has passed.
    public func remaining(on clock: any MonotonicClock) -> Duration {
        clock.now().duration(to: instant)
    }

    public func hasPassed(on clock: any MonotonicClock) -> Bool {
        clock.now() >= instant
    }
}
