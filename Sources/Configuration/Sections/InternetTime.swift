/// A moment as RFC 3339 writes it: `2027-03-31T23:59:59-06:00`.
public struct InternetTime: Sendable, Hashable {
    /// As written.
    public let text: String
    /// Since 1970 began in UTC; a fraction is dropped.
    public let unixSeconds: Int64

    /// Nil unless it is a time of RFC 3339, section 5.6, in the years 1970 to 9999. A leap second is the second after.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 40, bytes[4] == Self.dash, bytes[7] == Self.dash,
            bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == Self.colon, bytes[16] == Self.colon,
            let year = Self.number(bytes[0..<4]), year >= 1970,
            let month = Self.number(bytes[5..<7]), (1...12).contains(month),
            let day = Self.number(bytes[8..<10]), day >= 1, day <= Self.days(month, year),
            let hour = Self.number(bytes[11..<13]), hour < 24,
            let minute = Self.number(bytes[14..<16]), minute < 60,
            let second = Self.number(bytes[17..<19]), second <= 60,
            let offset = Self.offset(bytes[19...])
        else { return nil }
        self.text = text
        let time = hour * 3600 + minute * 60 + second
        unixSeconds = Int64(Self.daysSince1970(year, month, day) * 86_400 + time - offset)
    }

    static let rule = ValueRule<String>.line(0...1000).mapped(
        "a time of RFC 3339 is expected, such as \"2027-03-31T23:59:59-06:00\"", refusedAs: "another text was given"
    ) { InternetTime($0) }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    /// Seconds east of UTC, from a fraction, if any, and `Z` or `+06:00`.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let fraction = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !fraction.isEmpty else { return nil }
            rest = rest.dropFirst(fraction.count)
        }
        if rest.count == 1, let letter = rest.first { return letter | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        let zone = Array(rest)
        guard zone.count == 6, zone[0] == dash || zone[0] == UInt8(ascii: "+"), zone[3] == colon,
            let hours = number(zone[1..<3]), hours < 24, let minutes = number(zone[4..<6]), minutes < 60
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return zone[0] == dash ? -seconds : seconds
    }

    private static func isLeap(_ year: Int) -> Bool { (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 }

    private static func days(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let before = year - 1
        let leapDays = (before / 4 - before / 100 + before / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400)
        let ofYear = (1..<month).reduce(0) { $0 + days($1, year) }
        return (year - 1970) * 365 + leapDays + ofYear + day - 1
    }
}
