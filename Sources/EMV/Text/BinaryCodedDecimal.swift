/// The number in one BCD byte; nil when a nibble is no digit.
func bcd(_ byte: UInt8) -> Int? {
    let high = Int(byte >> 4)
    let low = Int(byte & 0x0F)
    return high < 10 && low < 10 ? high * 10 + low : nil
}

/// The number in BCD bytes; nil when a nibble is no digit or there are more than 18 digits.
func bcd(_ bytes: [UInt8]) -> Int? {
    guard bytes.count <= 9 else { return nil }
    var number = 0
    for byte in bytes {
        guard let pair = bcd(byte) else { return nil }
        number = number * 100 + pair
    }
    return number
}

func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
