/// A YYMMDD date of the card (Book 4, 6.7.3): years 00 to 49 are 20xx, 50 to 99 are 19xx.
public struct CardDate: Sendable, Hashable, Comparable {
    public let year: Int
    public let month: Int
    public let day: Int

    public init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// From three BCD bytes; nil when a nibble is no digit or the day does not exist.
    public init?(bcd: [UInt8]) {
        guard bcd.count == 3, bcd.allSatisfy({ $0 >> 4 < 10 && $0 & 0x0F < 10 }) else { return nil }
        let numbers = bcd.map { Int($0 >> 4) * 10 + Int($0 & 0x0F) }
        year = numbers[0] < 50 ? 2000 + numbers[0] : 1900 + numbers[0]
        month = numbers[1]
        day = numbers[2]
        guard (1...12).contains(month), day >= 1, day <= Self.days(in: month, year: year) else { return nil }
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private static func days(in month: Int, year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension TransactionTime {
    public var date: CardDate { CardDate(year: year, month: month, day: day) }
}
