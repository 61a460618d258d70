extension Meaning {
    private static let notDigits: StaticString = "not decimal digits"

    /// Tags 9F02 and 9F03: n 12, minor units.
    mutating func amount(_ value: Span<UInt8>, _ context: DecodeContext) {
        guard let minor = bcd(value) else { return text(Self.notDigits) }
        put(amount: minor, currency: context.currency, exponent: context.currencyExponent)
        endText()
    }

    /// Tags 81, 9F04 and 9F1B: binary, minor units.
    mutating func binaryAmount(_ value: Span<UInt8>, _ context: DecodeContext) {
        put(amount: binary(value), currency: context.currency, exponent: context.currencyExponent)
        endText()
    }

    mutating func currency(_ value: Span<UInt8>) {
        guard let number = bcd(value) else { return text(Self.notDigits) }
        put(currency: number)
        endText()
    }

    /// Tag 9F3B: up to four currencies.
    mutating func currencies(_ value: Span<UInt8>) {
        for position in stride(from: 0, to: value.count - 1, by: 2) {
            if position > 0 { put(", ") }
            if let number = bcd(value.extracting(position..<position + 2)) {
                put(currency: number)
            } else {
                put(Self.notDigits)
            }
        }
        endText()
    }

    mutating func country(_ value: Span<UInt8>) {
        guard let number = bcd(value) else { return text(Self.notDigits) }
        put(country: number)
        endText()
    }

    /// `Mexico (484)`, or the number alone.
    mutating func put(country number: Int) {
        let isKnown =
            CodeTable.countries.withLine(of: number) { line in
                put(UnsafeBufferPointer(rebasing: line.dropFirst(7)))
                return true
            } ?? false
        if isKnown { put(" (") }
        put(number, digits: 3)
        if isKnown { put(")") }
    }

    /// Tag 9F15 (ISO 18245).
    mutating func merchantCategory(_ value: Span<UInt8>) {
        guard let number = bcd(value) else { return text(Self.notDigits) }
        let isKnown =
            CodeTable.categories.withLine(of: number) { line in
                put(UnsafeBufferPointer(rebasing: line))
                return true
            } ?? false
        if !isKnown {
            switch number {
            case 3000...3350: put("Airline")
            case 3351...3500: put("Car rental")
            case 3501...3999: put("Hotel")
            default: put("unknown category")
            }
        }
        endText()
    }

    mutating func date(_ value: Span<UInt8>) {
        guard let parts = dateParts(value) else { return text("not a date") }
        put(parts.year)
        put("-")
        put(parts.month, digits: 2)
        put("-")
        put(parts.day, digits: 2)
        endText()
    }

    /// Tag 9F21: HHMMSS.
    mutating func time(_ value: Span<UInt8>) {
        guard value.count == 3, let hour = bcd(value[0]), let minute = bcd(value[1]), let second = bcd(value[2]),
            hour < 24, minute < 60, second < 60
        else { return text("not a time") }
        put(hour, digits: 2)
        put(":")
        put(minute, digits: 2)
        put(":")
        put(second, digits: 2)
        endText()
    }

    /// A binary number of at most eight bytes.
    mutating func counter(_ value: Span<UInt8>) {
        put(binary(value))
        endText()
    }

    /// Digits that say all themselves: a remark only when they are none.
    mutating func digits(_ value: Span<UInt8>) {
        for position in value.indices where bcd(value[position]) == nil { return text(Self.notDigits) }
    }
}

func isDate(_ value: Span<UInt8>) -> Bool { dateParts(value) != nil }

/// From YYMMDD (Book 4, 6.7.3): years 00 to 49 are 20xx, 50 to 99 are 19xx; nil when the day does not exist.
private func dateParts(_ value: Span<UInt8>) -> (year: Int, month: Int, day: Int)? {
    guard value.count == 3, let short = bcd(value[0]), let month = bcd(value[1]), let day = bcd(value[2]) else {
        return nil
    }
    let year = short < 50 ? 2000 + short : 1900 + short
    let days: Int
    switch month {
    case 2: days = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: days = 30
    case 1...12: days = 31
    default: return nil
    }
    return (1...days).contains(day) ? (year, month, day) : nil
}
