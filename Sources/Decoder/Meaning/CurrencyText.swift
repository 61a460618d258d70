extension Meaning {
    /// `MXN (484)`, or the number alone.
    mutating func put(currency number: Int) {
        if putLetters(currency: number) { put(" (") }
        put(number, digits: 3)
        if CurrencyTable.isKnown(number) { put(")") }
    }

    /// An amount in minor units: `100.00 MXN`; without a known currency the number of minor units.
    mutating func put(amount minor: Int, currency: Int?, exponent: Int?) {
        guard let currency else {
            guard let exponent, (0...9).contains(exponent) else {
                put(minor)
                put(" minor units")
                return
            }
            putPoint(minor, exponent)
            return
        }
        guard let digits = exponent ?? CurrencyTable.exponent(currency), (0...9).contains(digits) else {
            put(minor)
            put(" minor units of currency ")
            put(currency, digits: 3)
            return
        }
        putPoint(minor, digits)
        put(" ")
        if !putLetters(currency: currency) {
            put("currency ")
            put(currency, digits: 3)
        }
    }

    private mutating func putLetters(currency number: Int) -> Bool {
        CodeTable.currencies.withLine(of: number) { line in
            put(UnsafeBufferPointer(rebasing: line.prefix(3)))
            return true
        } ?? false
    }

    private mutating func putPoint(_ minor: Int, _ exponent: Int) {
        guard exponent > 0 else {
            put(minor)
            return
        }
        var unit = 1
        for _ in 0..<exponent { unit *= 10 }
        put(minor / unit)
        put(".")
        put(minor % unit, digits: exponent)
    }
}

enum CurrencyTable {
    static func isKnown(_ number: Int) -> Bool { CodeTable.currencies.withLine(of: number) { _ in true } ?? false }

    /// The digits behind the point; nil for an unknown currency and for one that has none, such as gold.
    static func exponent(_ number: Int) -> Int? {
        CodeTable.currencies.withLine(of: number) { line in
            let digit = line[line.startIndex + 4]
            return digit >= 0x30 && digit <= 0x39 ? Int(digit) - 0x30 : nil
        } ?? nil
    }
}
