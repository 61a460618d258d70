import Payments
import Testing

/// When a sale may be refunded. All times are UTC; Mexico City is six hours behind.
@Suite struct RefundWindowTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let approved: (day: Int, time: String)
        let now: (day: Int, time: String)
        let objection: StatusInfo?
        let testDescription: String

        init(_ approved: (Int, String), _ now: (Int, String), _ objection: StatusInfo?, _ testDescription: String) {
            self.approved = approved
            self.now = now
            self.objection = objection
            self.testDescription = testDescription
        }
    }

    /// Days of July 2025.
    static let cases = [
        Case((10, "16:00:00"), (10, "16:00:00"), .tooSoon, "at once"),
        Case((10, "16:00:00"), (10, "16:00:59"), .tooSoon, "after 59 seconds"),
        Case((10, "16:00:00"), (10, "16:01:00"), nil, "after exactly a minute"),
        Case((10, "16:00:00"), (10, "15:59:00"), .tooSoon, "the clock was set back"),
        Case((10, "16:00:00"), (10, "23:59:59"), nil, "17:59:59, before midnight UTC"),
        Case((10, "16:00:00"), (11, "00:00:00"), nil, "18:00:00, after midnight UTC"),
        Case((10, "16:00:00"), (11, "04:59:59"), nil, "22:59:59"),
        Case((10, "16:00:00"), (11, "05:00:00"), .tooLate, "23:00:00"),
        Case((10, "16:00:00"), (11, "05:59:59"), .tooLate, "23:59:59"),
        Case((10, "16:00:00"), (11, "06:00:00"), .tooLate, "midnight"),
        Case((10, "16:00:00"), (11, "16:00:00"), .tooLate, "the next day"),
        Case((10, "06:00:00"), (11, "04:59:59"), nil, "sold at midnight, refunded at 22:59:59"),
        Case((10, "05:59:59"), (10, "06:01:00"), .tooLate, "sold one second before midnight"),
        Case((11, "00:30:00"), (11, "04:00:00"), nil, "sold after midnight UTC"),
        Case((11, "04:58:59"), (11, "04:59:59"), nil, "sold at 22:58:59"),
        Case((11, "04:59:00"), (11, "04:59:59"), .tooSoon, "sold at 22:59:00, in the first minute"),
        Case((11, "04:59:00"), (11, "05:00:00"), .tooLate, "sold at 22:59:00, after it"),
    ]

    /// 1 July 2025, 00:00:00 UTC.
    private static let july: Int64 = 1_751_328_000

    private static func milliseconds(_ moment: (day: Int, time: String)) -> Int64 {
        let parts = moment.time.split(separator: ":").compactMap { Int64($0) }
        return (july + Int64(moment.day - 1) * 86_400 + parts[0] * 3600 + parts[1] * 60 + parts[2]) * 1000
    }

    private static func objection(_ test: Case, _ zone: TimeZoneRule) -> StatusInfo? {
        let approved = milliseconds(test.approved)
        return RefundWindow(zone: zone).objection(approvedAt: approved, soldAt: approved, now: milliseconds(test.now))
    }

    @Test("the limits hold to the second", arguments: cases)
    func limits(test: Case) {
        #expect(Self.objection(test, .mexicoCity()) == test.objection)
    }

    @Test("they hold without the system's zone file, too", arguments: cases)
    func withoutZoneFile(test: Case) {
        #expect(Self.objection(test, .mexicoCity(zoneDirectory: "/nonexistent")) == test.objection)
    }

    @Test("a millisecond is missing to the minute: too soon")
    func millisecond() {
        let window = RefundWindow(zone: .mexicoCity())
        let sold = Self.milliseconds((10, "16:00:00"))
        #expect(window.objection(approvedAt: sold + 500, soldAt: sold, now: sold + 60_499) == .tooSoon)
        #expect(window.objection(approvedAt: sold + 500, soldAt: sold, now: sold + 60_500) == nil)
        let closing = Self.milliseconds((11, "05:00:00"))
        #expect(window.objection(approvedAt: sold, soldAt: sold, now: closing - 1) == nil)
        #expect(window.objection(approvedAt: sold, soldAt: sold, now: closing) == .tooLate)
    }

    @Test("times that no clock shows are too late, or too soon", arguments: [Int64.min, -1, 0, .max])
    func extremes(time: Int64) {
        let window = RefundWindow(zone: .mexicoCity())
        let now = Self.milliseconds((10, "16:00:00"))
        #expect(window.objection(approvedAt: time, soldAt: time, now: now) == (time == .max ? .tooSoon : .tooLate))
        #expect(window.objection(approvedAt: now, soldAt: time, now: now + 60_000) == .tooLate)
        #expect(window.objection(approvedAt: .min, soldAt: now, now: time) == (time == .min ? .tooSoon : .tooLate))
        #expect(window.objection(approvedAt: .max, soldAt: now, now: time) != nil)
    }

    @Test("a sale begun before midnight and approved after it belongs to the day on which it was begun")
    func overMidnight() {
        let window = RefundWindow(zone: .mexicoCity())
        let sold = Self.milliseconds((10, "05:59:30"))
        let approved = Self.milliseconds((10, "06:00:10"))
        #expect(window.objection(approvedAt: approved, soldAt: sold, now: approved + 60_000) == .tooLate)
    }
}
