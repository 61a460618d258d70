/// A date and time of the proleptic Gregorian calendar, as a clock on the wall of some zone shows it.
public struct CivilTime: Sendable, Hashable {
    public let year: Int
    /// 1 ... 12.
    public let month: Int
    /// 1 ... 31.
    public let day: Int
    public let hour: Int
    public let minute: Int
    public let second: Int

    /// What a clock that is `offset` seconds ahead of UTC shows at `seconds` after 1970-01-01 00:00:00 UTC.
    public init(secondsSince1970 seconds: Int64, offset: Int) {
        // No calendar reaches as far as the sum that would overflow.
        let (sum, overflow) = seconds.addingReportingOverflow(Int64(offset))
        let local = overflow ? seconds : sum
        let days = Int(local.flooredDivision(by: 86_400))
        // The first day of the range begins before it: the product may wrap, the difference is right.
        let secondOfDay = Int(local &- Int64(days) &* 86_400)
        hour = secondOfDay / 3600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
        // Days to a date, counting years from March so that the leap day comes last.
        let shifted = days + 719_468
        let era = Int(Int64(shifted).flooredDivision(by: 146_097))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    public func isSameDay(as other: CivilTime) -> Bool {
        (year, month, day) == (other.year, other.month, other.day)
    }

    /// `2026-03-02 12:00:05`.
    public var text: String {
        let numbers = [month, day, hour, minute, second].map { ($0 < 10 ? "0" : "") + String($0) }
        return "\(year)-\(numbers[0])-\(numbers[1]) \(numbers[2]):\(numbers[3]):\(numbers[4])"
    }
}

extension Int64 {
    /// The quotient, rounded down; `divisor` is positive.
    func flooredDivision(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
