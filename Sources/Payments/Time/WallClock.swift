import Glibc

/// Where dates come from: the refund window, receipts, the card's date. Never used for time-outs.
public protocol WallClock: Sendable {
    /// Milliseconds since 1970-01-01 00:00:00 UTC.
    func nowMilliseconds() -> Int64
}

public struct SystemWallClock: WallClock {
    public init() {}

    public func nowMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
