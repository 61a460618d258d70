import Testing
import Transport

@Suite("Instants of the monotonic clock")
struct MonotonicInstantTests {
    @Test(
        "adding saturates and never goes back",
        arguments: [
            (UInt64(5), Duration.nanoseconds(7), UInt64(12)),
            (5, .nanoseconds(-7), 5),
            (5, .zero, 5),
            (UInt64.max - 1, .nanoseconds(2), .max),
            (0, .seconds(Int64.max), .max),
            (0, .milliseconds(1), 1_000_000),
        ])
    func advancing(start: UInt64, by duration: Duration, expected: UInt64) {
        #expect(MonotonicInstant(nanoseconds: start).advanced(by: duration).nanoseconds == expected)
    }

    @Test("time to an instant that has passed is zero")
    func spans() {
        let (early, late) = (MonotonicInstant(nanoseconds: 10), MonotonicInstant(nanoseconds: 1_000_010))
        #expect(early.duration(to: late) == .milliseconds(1))
        #expect(late.duration(to: early) == .zero)
        #expect(early < late)
    }

    @Test("a deadline says what is left and when it has passed")
    func deadlines() {
        let clock = VirtualClock()
        let deadline = Deadline.after(.seconds(2), on: clock)
        #expect(deadline.remaining(on: clock) == .seconds(2))
        #expect(!deadline.hasPassed(on: clock))
        clock.move(to: deadline.instant)
        #expect(deadline.remaining(on: clock) == .zero)
        #expect(deadline.hasPassed(on: clock))
    }

    @Test("a virtual clock moves when slept on, and never back")
    func virtualClock() async {
        let clock = VirtualClock()
        let start = clock.now()
        await clock.sleep(until: start.advanced(by: .seconds(3)))
        #expect(start.duration(to: clock.now()) == .seconds(3))
        clock.move(to: start)
        #expect(start.duration(to: clock.now()) == .seconds(3))
    }
}
