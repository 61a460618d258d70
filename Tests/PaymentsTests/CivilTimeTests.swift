import Payments
import Testing

@Suite struct CivilTimeTests {
    @Test("the ends of the range have a date", arguments: [Int64.min, .max])
    func extremes(time: Int64) {
        let zone = TimeZoneRule(fixedOffset: -6 * 3600)
        let (milliseconds, seconds) = (
            zone.civilTime(atMilliseconds: time), CivilTime(secondsSince1970: time, offset: time < 0 ? -1 : 1)
        )
        #expect((milliseconds.year < 0) == (time < 0) && (seconds.year < 0) == (time < 0))
        #expect((1...12).contains(seconds.month) && (1...31).contains(seconds.day))
    }

    @Test(
        "seconds since 1970 are dates of the Gregorian calendar",
        arguments: [
            (0, "1970-01-01 00:00:00"), (-1, "1969-12-31 23:59:59"), (-2_208_988_800, "1900-01-01 00:00:00"),
            (-2_203_977_600, "1900-02-28 00:00:00"), (-2_203_891_200, "1900-03-01 00:00:00"),
            (-2_077_704_000, "1904-02-29 12:00:00"), (946_684_799, "1999-12-31 23:59:59"),
            (951_782_400, "2000-02-29 00:00:00"), (951_868_800, "2000-03-01 00:00:00"),
            (1_677_628_799, "2023-02-28 23:59:59"), (1_677_628_800, "2023-03-01 00:00:00"),
            (1_709_251_199, "2024-02-29 23:59:59"), (1_772_474_405, "2026-03-02 18:00:05"),
            (2_147_483_648, "2038-01-19 03:14:08"), (4_107_542_399, "2100-02-28 23:59:59"),
            (4_107_542_400, "2100-03-01 00:00:00"), (13_574_563_200, "2400-02-29 00:00:00"),
            (-11_670_998_400, "1600-02-29 00:00:00"), (253_402_300_799, "9999-12-31 23:59:59"),
        ] as [(Int64, String)])
    func dates(seconds: Int64, text: String) {
        #expect(CivilTime(secondsSince1970: seconds, offset: 0).text == text)
    }

    @Test(
        "the offset moves the clock, over midnight and over the year",
        arguments: [
            (0, -6 * 3600, "1969-12-31 18:00:00"), (0, 9 * 3600, "1970-01-01 09:00:00"),
            (946_684_799, 1, "2000-01-01 00:00:00"), (1_709_251_199, -86_400, "2024-02-28 23:59:59"),
        ] as [(Int64, Int, String)])
    func offsets(seconds: Int64, offset: Int, text: String) {
        #expect(CivilTime(secondsSince1970: seconds, offset: offset).text == text)
    }

    @Test("each day follows the one before it, for four hundred years")
    func succession() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var (year, month, day) = (1900, 1, 1)
        for number in 0..<146_097 {
            let time = CivilTime(secondsSince1970: (Int64(number) - 25_567) * 86_400, offset: 0)
            guard (time.year, time.month, time.day) == (year, month, day) else {
                Issue.record("\(time.text) instead of \(year)-\(month)-\(day)")
                return
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            day += 1
            if day > lengths[month - 1] + (month == 2 && isLeap ? 1 : 0) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }

    @Test("the same day is year, month and day together")
    func sameDay() {
        let noon = CivilTime(secondsSince1970: 43_200, offset: 0)
        #expect(noon.isSameDay(as: CivilTime(secondsSince1970: 86_399, offset: 0)))
        #expect(!noon.isSameDay(as: CivilTime(secondsSince1970: 86_400, offset: 0)))
        #expect(!noon.isSameDay(as: CivilTime(secondsSince1970: 43_200 + 31 * 86_400, offset: 0)))
        #expect(!noon.isSameDay(as: CivilTime(secondsSince1970: 43_200 + 365 * 86_400, offset: 0)))
    }
}
