import EMV
import ReaderWire

extension Meaning {
    /// A sensitive object: masked or, when a person asked for it, in clear; then remarks, which hold no digits.
    /// - Parameters:
    ///   - isSamePAN: whether the PAN of tag 5A, with which track 2 should agree, is the one here; nil without a 5A.
    mutating func sensitive(_ kind: SensitiveTag.Kind, _ value: Span<UInt8>, reveal: Bool, isSamePAN: Bool?) {
        switch kind {
        case .pan:
            let count = PANDigits.count(compressedNumeric: value)
            if count == nil, let masked = MaskedPAN(ascii: array(value)) ?? MaskedPAN(nibbles: array(value)) {
                put(masked.text)
                endText()
                line("masked by the reader")
                return
            }
            number(count, value, reveal: reveal)
            if let count { checkDigit(value, count) } else { line("not a valid PAN") }
        case .track2:
            track2(value, reveal: reveal, isSamePAN: isSamePAN)
        case .name:
            if Self.isBlankName(value) {
                text("no name")
            } else if !reveal {
                text("****")
            } else if isASCII(value) {
                put(text: value)
                endText()
            }
        case .expiry:
            let isDate = isDate(value)
            if !reveal { text("****-**-**") } else { date(value) }
            if !isDate { line("not a date") }
        case .secret:
            if !reveal {
                put(hidden: value.count)
                endText()
            } else if isASCII(value) {
                put(text: value)
                endText()
            }
        }
    }

    /// A name that says nothing, so that there is nothing to mask: blank or only a slash.
    static func isBlankName(_ value: Span<UInt8>) -> Bool {
        for position in value.indices {
            let byte = value[position]
            guard byte == 0x20 || byte == UInt8(ascii: "/") || byte == 0x00 else { return false }
        }
        return true
    }

    /// The PAN at the value's beginning.
    private mutating func number(_ count: Int?, _ value: Span<UInt8>, reveal: Bool) {
        guard let count else {
            if !reveal {
                put(hidden: value.count)
                endText()
            }
            return
        }
        for place in 0..<count {
            let isShown = reveal || place >= count - 4
            put(ascii: isShown ? 0x30 + PANDigits.nibble(place, value) : UInt8(ascii: "*"))
        }
        endText()
    }

    private mutating func checkDigit(_ value: Span<UInt8>, _ count: Int) {
        if !PANDigits.hasRightCheckDigit(value, count) { line("note: the check digit is wrong") }
    }

    private mutating func track2(_ value: Span<UInt8>, reveal: Bool, isSamePAN: Bool?) {
        let count = PANDigits.count(track2: value)
        let track = Track2Layout(value, panCount: count)
        if reveal {
            if let count, let track {
                number(count, value, reveal: true)
                put(", ")
                track.put(value, into: &self)
                endText()
            }
        } else {
            number(count, value, reveal: false)
        }
        guard let count else {
            line("does not begin with a PAN and a separator")
            return
        }
        checkDigit(value, count)
        if track == nil { line("what follows the PAN is not a track 2") }
        if isSamePAN == false { line("note: not the PAN of tag 5A") }
    }
}

/// Where the parts of track 2 stand behind the PAN (ISO/IEC 7813).
private struct Track2Layout {
    /// The place of YYMM; nil for a separator in its stead.
    var expiry: Int?
    var service: Int?

    /// Nil when it is not a track 2.
    init?(_ value: Span<UInt8>, panCount: Int?) {
        guard let panCount else { return nil }
        var end = value.count * 2
        while end > 0, PANDigits.nibble(end - 1, value) == 0x0F { end -= 1 }
        guard end <= 37 else { return nil }
        for place in 0..<end where PANDigits.nibble(place, value) > 9 && PANDigits.nibble(place, value) != 0x0D {
            return nil
        }
        var cursor = panCount + 1
        guard let date = Self.take(4, &cursor, end, value), let code = Self.take(3, &cursor, end, value) else {
            return nil
        }
        expiry = date < 0 ? nil : date
        service = code < 0 ? nil : code
    }

    /// The place of the next digits; -1 for a separator in their place; nil when they are not complete.
    private static func take(_ count: Int, _ cursor: inout Int, _ end: Int, _ value: Span<UInt8>) -> Int? {
        if cursor < end, PANDigits.nibble(cursor, value) == 0x0D {
            cursor += 1
            return -1
        }
        guard cursor + count <= end else { return nil }
        for place in cursor..<cursor + count where PANDigits.nibble(place, value) > 9 { return nil }
        cursor += count
        return cursor - count
    }

    func put(_ value: Span<UInt8>, into meaning: inout Meaning) {
        let month = expiry.map { number($0 + 2, 2, value) } ?? 0
        if let expiry, (1...12).contains(month) {
            let year = number(expiry, 2, value)
            meaning.put("expires ")
            meaning.put(year < 50 ? 2000 + year : 1900 + year)
            meaning.put("-")
            meaning.put(month, digits: 2)
        } else {
            meaning.put("no expiry")
        }
        meaning.put(", service code ")
        if let service {
            meaning.put(number(service, 3, value), digits: 3)
        } else {
            meaning.put("absent")
        }
    }

    private func number(_ start: Int, _ count: Int, _ value: Span<UInt8>) -> Int {
        var number = 0
        for place in start..<start + count { number = number * 10 + Int(PANDigits.nibble(place, value)) }
        return number
    }
}
