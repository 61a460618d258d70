/// The month in which a card expires; it is good to the last day of it (ISO/IEC 7813).
public struct CardExpiry: Hashable, Sendable {
    /// 1950 ... 2049.
    public let year: Int
    /// 1 ... 12.
    public let month: Int

    /// Nil when out of range.
    public init?(year: Int, month: Int) {
        guard (1950...2049).contains(year), (1...12).contains(month) else { return nil }
        self.year = year
        self.month = month
    }

    /// From the value of tag 5F24 (YYMMDD, three bytes BCD) or its first two bytes; nil when it is not a date.
    public init?(bcd value: [UInt8]) {
        guard value.count == 2 || value.count == 3, let year = LocalDateTime.year(ofBCD: value[0]),
            let month = LocalDateTime.number(ofBCD: value[1])
        else { return nil }
        self.init(year: year, month: month)
    }

    /// Whether the card is past its last month on the day of `moment`.
    public func isPast(at moment: LocalDateTime) -> Bool {
        (moment.year, moment.month) > (year, month)
    }
}
