/// Finds card numbers where no tag says that there are any: vendor objects, damaged data.
enum CardDataScan {
    /// Whether the nibbles or the characters hold a run of 13 to 19 digits that begins as a PAN does and passes the
    /// Luhn check. Wrong alarms only mask a value too many.
    /// - Parameter isText: the bytes are known to be characters, so that their nibbles mean nothing, unless all of them
    ///   together are a PAN.
    static func mayHoldPAN(_ bytes: Span<UInt8>, isText: Bool = false) -> Bool {
        guard bytes.count >= 7 else { return false }
        if isText ? isPAN(bytes) : holdsPAN(Nibbles(), bytes) { return true }
        return bytes.count >= 13 && holdsPAN(Characters(), bytes)
    }

    /// Whether the value is a PAN in format cn or a track 2 with a right check digit.
    static func isPAN(_ bytes: Span<UInt8>) -> Bool {
        guard let count = PANDigits.count(compressedNumeric: bytes) ?? PANDigits.count(track2: bytes), count >= 13
        else { return false }
        return (2...6).contains(bytes[0] >> 4) && PANDigits.hasRightCheckDigit(bytes, count)
    }

    /// Whether the bytes, at least six of them, could be a PAN whose end is missing.
    private static func mayBeginPAN(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 6, (2...6).contains(bytes[0] >> 4) else { return false }
        for place in 0..<bytes.count * 2 where PANDigits.nibble(place, bytes) > 9 { return false }
        return true
    }

    /// Whether the value begins with a PAN of packed digits, whatever follows it.
    static func beginsWithPAN(_ bytes: Span<UInt8>) -> Bool {
        isPAN(Nibbles(), at: 0, bytes)
    }

    /// Whether bytes that should be random hold a card number that damage put there: its packed digits, alone or as the
    /// beginning of a track 2, behind a byte that gives their length; cut off behind a tag 5A or 57 and its length; or
    /// in characters. Not one in a thousand random values looks like that.
    static func holdsMarkedPAN(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 7 else { return false }
        for place in 0..<bytes.count - 6 {
            let length = Int(bytes[place])
            guard (7...19).contains(length) else { continue }
            let rest = bytes.extracting(place + 1..<min(bytes.count, place + 1 + length))
            if isPAN(rest) { return true }
            let isCutOff = rest.count < length && place > 0 && (bytes[place - 1] == 0x5A || bytes[place - 1] == 0x57)
            if isCutOff, mayBeginPAN(rest) { return true }
        }
        return bytes.count >= 13 && holdsPAN(Characters(), bytes)
    }

    private static func holdsPAN(_ symbols: some DigitSymbols, _ bytes: Span<UInt8>) -> Bool {
        let count = symbols.count(bytes)
        guard count >= 13 else { return false }
        for start in 0...count - 13 where isPAN(symbols, at: start, bytes) { return true }
        return false
    }

    /// Whether a PAN stands at this place. Between its digits, and not before them, may be what people put there.
    private static func isPAN(_ symbols: some DigitSymbols, at start: Int, _ bytes: Span<UInt8>) -> Bool {
        let end = symbols.count(bytes)
        guard start < end, (2...6).contains(symbols.digit(start, bytes)) else { return false }
        // Check sums of what was read: with the last digit doubled or not.
        var sum = 0
        var other = 0
        var nonzero = 0
        var length = 0
        var place = start
        var gap = 0
        while place < end, length < 19 {
            let digit = Int(symbols.digit(place, bytes))
            place += 1
            if digit > 9 {
                gap += 1
                if gap > 2 || !symbols.isSeparator(place - 1, bytes) { return false }
                continue
            }
            gap = 0
            length += 1
            if digit != 0 { nonzero += 1 }
            (sum, other) = (other + digit, sum + digit * 2 - (digit > 4 ? 9 : 0))
            if length >= 13, sum % 10 == 0, nonzero > 1 { return true }
        }
        return false
    }
}

/// How digits are written.
private protocol DigitSymbols {
    func count(_ bytes: Span<UInt8>) -> Int
    /// 0 ... 9 for a digit, more for anything else.
    func digit(_ place: Int, _ bytes: Span<UInt8>) -> UInt8
    /// Whether this may stand between the digits of one number.
    func isSeparator(_ place: Int, _ bytes: Span<UInt8>) -> Bool
}

private struct Nibbles: DigitSymbols {
    func count(_ bytes: Span<UInt8>) -> Int { bytes.count * 2 }
    func digit(_ place: Int, _ bytes: Span<UInt8>) -> UInt8 { PANDigits.nibble(place, bytes) }
    func isSeparator(_ place: Int, _ bytes: Span<UInt8>) -> Bool { false }
}

private struct Characters: DigitSymbols {
    func count(_ bytes: Span<UInt8>) -> Int { bytes.count }
    func digit(_ place: Int, _ bytes: Span<UInt8>) -> UInt8 { bytes[place] &- 0x30 }
    /// A space, a no-break space, a hyphen or a full stop.
    func isSeparator(_ place: Int, _ bytes: Span<UInt8>) -> Bool {
        switch bytes[place] {
        case 0x20, 0xA0, UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}

/// The digits of a PAN where they stand: no copy is made that would have to be wiped.
enum PANDigits {
    @inline(__always)
    static func nibble(_ place: Int, _ bytes: Span<UInt8>) -> UInt8 {
        place & 1 == 0 ? bytes[place >> 1] >> 4 : bytes[place >> 1] & 0x0F
    }

    /// How many digits the value of tag 5A has: 8 to 19, then only F to the end; nil when it is not that.
    static func count(compressedNumeric bytes: Span<UInt8>) -> Int? {
        guard bytes.count <= 10 else { return nil }
        var count = 0
        for place in 0..<bytes.count * 2 {
            let nibble = nibble(place, bytes)
            if nibble <= 9, count == place {
                count += 1
            } else if nibble != 0x0F {
                return nil
            }
        }
        return (8...19).contains(count) ? count : nil
    }

    /// How many digits stand before the separator D of the value of tag 57: 8 to 19; nil when it is not that.
    static func count(track2 bytes: Span<UInt8>) -> Int? {
        guard bytes.count <= 19 else { return nil }
        for place in 0..<bytes.count * 2 {
            let nibble = nibble(place, bytes)
            if nibble == 0x0D { return (8...19).contains(place) ? place : nil }
            guard nibble <= 9 else { return nil }
        }
        return nil
    }

    /// The check digit of ISO/IEC 7812-1, Annex B.
    static func hasRightCheckDigit(_ bytes: Span<UInt8>, _ count: Int) -> Bool {
        var sum = 0
        for place in 0..<count {
            let digit = Int(nibble(place, bytes))
            sum += (count - place) % 2 == 1 ? digit : digit * 2 - (digit > 4 ? 9 : 0)
        }
        return sum % 10 == 0
    }
}
