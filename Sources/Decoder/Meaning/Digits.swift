/// The number in BCD bytes; nil when a nibble is no digit or there are more than 18 digits.
func bcd(_ bytes: Span<UInt8>) -> Int? {
    guard bytes.count <= 9 else { return nil }
    var number = 0
    for position in bytes.indices {
        guard let pair = bcd(bytes[position]) else { return nil }
        number = number * 100 + pair
    }
    return number
}

/// The number in one BCD byte; nil when a nibble is no digit.
func bcd(_ byte: UInt8) -> Int? {
    let high = Int(byte >> 4)
    let low = Int(byte & 0x0F)
    return high < 10 && low < 10 ? high * 10 + low : nil
}

/// The number in the first eight bytes at most.
func binary(_ bytes: Span<UInt8>) -> Int {
    var number: UInt64 = 0
    for position in 0..<min(8, bytes.count) { number = number << 8 | UInt64(bytes[position]) }
    return Int(clamping: number)
}

/// Printable ASCII only.
func isASCII(_ bytes: Span<UInt8>) -> Bool {
    for position in bytes.indices where bytes[position] < 0x20 || bytes[position] > 0x7E { return false }
    return true
}

/// The part without the spaces at both ends.
func trimmedRange(_ bytes: Span<UInt8>) -> Range<Int> {
    var start = 0
    var end = bytes.count
    while start < end, bytes[start] == 0x20 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 { end -= 1 }
    return start..<end
}

/// A copy, for what is not on the path of every object.
func array(_ bytes: Span<UInt8>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes.count)
    for position in bytes.indices { copy.append(bytes[position]) }
    return copy
}
