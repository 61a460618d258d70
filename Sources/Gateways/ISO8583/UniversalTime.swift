import Glibc

/// A moment in Universal Time, as messages carry it.
package struct UniversalTime: Sendable, Hashable {
    /// Days since 1970-01-01.
    let day: Int
    /// Day of the year, 1 ... 366.
    let dayOfYear: Int
    package let year: Int
    let month: Int
    let dayOfMonth: Int
    let hour: Int
    let minute: Int
    let second: Int

    /// Milliseconds since 1970-01-01, by the system's clock.
    @Sendable package static func systemMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec / 1_000_000)
    }

    /// Moments before 1970 and after 9999 are those.
    package init(milliseconds: Int64) {
        var seconds = time_t(min(max(milliseconds / 1000, 0), 253_402_300_799))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        day = Int(seconds / 86_400)
        dayOfYear = Int(parts.tm_yday) + 1
        year = Int(parts.tm_year) + 1900
        month = Int(parts.tm_mon) + 1
        dayOfMonth = Int(parts.tm_mday)
        hour = Int(parts.tm_hour)
        minute = Int(parts.tm_min)
        second = Int(parts.tm_sec)
    }

    /// Field 7: MMDDhhmmss.
    var transmission: String {
        [month, dayOfMonth, hour, minute, second].map { TraceRecord.padded($0, 2) }.joined()
    }

    /// The usual start of a retrieval reference number: the year's last digit, the day of the year, the hour.
    var referencePrefix: String {
        String(year % 10) + TraceRecord.padded(dayOfYear, 3) + TraceRecord.padded(hour, 2)
    }
}
