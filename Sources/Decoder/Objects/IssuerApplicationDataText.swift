import EMV

extension Meaning {
    /// Tag 9F10, by the scheme's layout when the application is known, else by its shape.
    mutating func issuerApplicationData(_ value: Span<UInt8>, _ context: DecodeContext) {
        guard let layout = IssuerApplicationData.layout(of: value, provider: context.provider) else {
            if value.count > 0 {
                switch context.provider {
                case 0xA0_0000_0065: text("JCB's own format, shown as hex")
                case 0xA0_0000_0152: text("Discover's own format, shown as hex")
                case 0xA0_0000_0277: text("Interac's own format, shown as hex")
                default: text("unknown format")
                }
            }
            return
        }
        issuerApplicationData(value, layout)
    }

    private mutating func issuerApplicationData(_ value: Span<UInt8>, _ layout: IssuerApplicationData.Layout) {
        let version: UInt8
        let index: UInt8
        let results: Range<Int>
        switch layout {
        case .visaShort, .americanExpress, .unionPay: (version, index, results) = (value[2], value[1], 3..<7)
        case .visaLong, .commonCore: (version, index, results) = (value[1], value[2], 3..<8)
        case .mChip: (version, index, results) = (value[1], value[0], 2..<8)
        }
        layoutName(layout, version)
        put("derivation key index ")
        put(hex: index)
        endLine()
        put("cryptogram version ")
        cryptogramVersion(layout, version)
        endLine()
        put("CVR ")
        put(hex: value.extracting(results))
        endLine()
        verificationResults(value.extracting(results), layout)
    }

    private mutating func layoutName(_ layout: IssuerApplicationData.Layout, _ version: UInt8) {
        switch layout {
        case .visaShort, .visaLong:
            put("Visa format ")
            put(Int(version >> 4))
            endText()
        case .mChip: text("M/Chip")
        case .commonCore: text("Common Core Definitions")
        case .americanExpress: text("American Express")
        case .unionPay: text("UnionPay")
        }
    }

    /// Visa of old counts versions in decimal, and writes the newer ones as their byte.
    private mutating func cryptogramVersion(_ layout: IssuerApplicationData.Layout, _ byte: UInt8) {
        switch layout {
        case .visaShort: put(Int(byte))
        case .visaLong:
            put("'")
            put(hex: byte)
            put("'")
        case .mChip:
            put(Int(byte))
            switch byte & 0x06 {
            case 0x04: put(": EMV session key")
            case 0x00: put(": M/Chip session key")
            default: put(": unknown key")
            }
            if byte & 0x01 != 0 { put(", counters in the cryptogram") }
        case .commonCore:
            put(hex: byte)
            if byte == 0xA5 { put(": Triple DES") } else if byte == 0xA6 { put(": AES") }
        case .americanExpress, .unionPay: put(hex: byte)
        }
    }

    /// The lines of the card verification results. None where their bits are not published.
    private mutating func verificationResults(_ bytes: Span<UInt8>, _ layout: IssuerApplicationData.Layout) {
        switch layout {
        case .visaShort:
            generateACTypes(bytes[1])
            BitTable.visaShortResults.writeLines(bytes.extracting(1..<4), into: &self)
            counter("issuer script commands: ", bytes[3] >> 4)
        case .visaLong:
            generateACTypes(bytes[1])
            BitTable.visaLongResults.writeLines(bytes, into: &self)
            counter("issuer script commands: ", bytes[3] >> 4)
            counter("verifying entity: ", bytes[0] >> 4)
            counter("consumer device CVM type: ", bytes[0] & 0x0F)
        case .mChip:
            generateACTypes(bytes[0])
            BitTable.mChipResults.writeLines(bytes, into: &self)
            number("issuer script commands: ", bytes[2] >> 4)
            number("PIN tries left: ", bytes[2] & 0x0F)
        case .commonCore:
            generateACTypes(bytes[0])
            BitTable.commonCoreResults.writeLines(bytes, into: &self)
            number("PIN tries left: ", bytes[1] >> 4)
            counter("issuer script commands: ", bytes[3] >> 4)
        case .americanExpress, .unionPay:
            line("the bits of these results are not published")
        }
    }

    /// Left out when it is zero.
    private mutating func counter(_ name: StaticString, _ number: UInt8) {
        if number > 0 { self.number(name, number) }
    }

    private mutating func number(_ name: StaticString, _ number: UInt8) {
        put(name)
        put(Int(number))
        endLine()
    }

    /// The two cryptogram types at the top of the first byte.
    private mutating func generateACTypes(_ byte: UInt8) {
        switch byte >> 6 {
        case 0: line("second GENERATE AC: AAC")
        case 1: line("second GENERATE AC: TC")
        case 2: line("second GENERATE AC: not requested")
        default: line("second GENERATE AC: reserved")
        }
        switch byte >> 4 & 0x03 {
        case 0: line("first GENERATE AC: AAC")
        case 1: line("first GENERATE AC: TC")
        case 2: line("first GENERATE AC: ARQC")
        default: line("first GENERATE AC: reserved")
        }
    }
}
