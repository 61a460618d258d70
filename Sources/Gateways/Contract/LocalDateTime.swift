/// The kiosk's local date and time of a transaction, as tags 9A and 9F21 carry them.
public struct LocalDateTime: Hashable, Sendable {
    /// Three bytes BCD, YYMMDD: the value of tag 9A.
    public let date: [UInt8]
    /// Three bytes BCD, HHMMSS: the value of tag 9F21.
    public let time: [UInt8]
    /// 1950 ... 2049: years 50 to 99 are of the twentieth century (Book 4, 6.7.3).
    public let year: Int
    /// 1 ... 12.
    public let month: Int
    /// 1 ... 31.
    public let day: Int

    /// Nil when the bytes are not BCD or out of the calendar's and the clock's ranges.
    public init?(date: [UInt8], time: [UInt8]) {
        guard date.count == 3, time.count == 3, let year = Self.year(ofBCD: date[0]),
            let month = Self.number(ofBCD: date[1]), (1...12).contains(month),
            let day = Self.number(ofBCD: date[2]), (1...31).contains(day),
            let hour = Self.number(ofBCD: time[0]), hour < 24,
            let minute = Self.number(ofBCD: time[1]), minute < 60,
            let second = Self.number(ofBCD: time[2]), second < 60
        else { return nil }
        self.date = date
        self.time = time
        self.year = year
        self.month = month
        self.day = day
    }

    static func number(ofBCD byte: UInt8) -> Int? {
        let (tens, units) = (byte >> 4, byte & 0x0F)
        guard tens < 10, units < 10 else { return nil }
        return Int(tens) * 10 + Int(units)
    }

    static func year(ofBCD byte: UInt8) -> Int? {
        number(ofBCD: byte).map { $0 < 50 ? 2000 + $0 : 1900 + $0 }
    }
}
