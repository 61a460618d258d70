/// RFC 3339 in UTC, to the second.
enum InternetTimeText {
    /// - Parameter milliseconds: since 1970; what lies outside the years 1 ... 9999 is taken to the nearer end.
    static func utc(milliseconds: Int64) -> String {
        let seconds = min(max(floorDivide(milliseconds, 1_000), -62_135_596_800), 253_402_300_799)
        let days = floorDivide(seconds, 86_400)
        let rest = seconds - days * 86_400
        // Days from 1 March of the year 0, in eras of 400 years: the leap day is then the last of its year.
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        return "\(date)T\(padded(rest / 3_600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))Z"
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
