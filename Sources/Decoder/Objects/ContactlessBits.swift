extension BitTable {
    /// Tag 9F66 (EMV Contactless Book A, 5.7; Visa).
    static let terminalTransactionQualifiers = BitTable([
        [
            "Mag-stripe mode supported", "", "EMV mode supported", "EMV contact chip supported", "Offline-only reader",
            "Online PIN supported", "Signature supported",
            "Offline data authentication for online authorisations supported",
        ],
        ["Online cryptogram required", "CVM required", "Offline PIN supported (contact chip)", "", "", "", "", ""],
        ["Issuer update processing supported", "Consumer device CVM supported", "", "", "", "", "", ""],
        ["fDDA version 1 supported", "", "", "", "", "", "", ""],
    ])

    /// Tag 9F6C (EMV Contactless Book C-3, Annex A).
    static let cardTransactionQualifiers = BitTable([
        [
            "Online PIN required", "Signature required",
            "Go online if offline data authentication fails and the reader is online capable",
            "Switch interface if offline data authentication fails and the reader supports contact chip",
            "Go online if the application expired", "Switch interface for cash transactions",
            "Switch interface for cashback transactions", "Not valid for contactless ATM transactions",
        ],
        [
            "Consumer device CVM performed", "Card supports issuer update processing at the point of sale", "", "", "",
            "", "", "",
        ],
    ])

    /// Card Status Update within tag 91 (Book 3, Annex C9). The fourth byte is the issuer's.
    static let cardStatusUpdate = BitTable([
        ["Proprietary authentication data included", "", "", "", " ", " ", " ", " "],
        [
            "Issuer approves online transaction", "Card block", "Application block", "Update PIN Try Counter",
            "Set go online on next transaction", "CSU created by proxy for the issuer", " ", " ",
        ],
        [],
        [" ", " ", " ", " ", " ", " ", " ", " "],
    ])

    /// Tag DF8117 and its relatives (EMV Contactless Book C-2, Annex A).
    static let cardDataInput = BitTable([
        ["Manual key entry", "Magnetic stripe", "IC with contacts", "", "", "", "", ""]
    ])
    static let methodCapability = BitTable([
        [
            "Plaintext PIN for ICC verification", "Enciphered PIN for online verification", "Signature",
            "Enciphered PIN for offline verification", "No CVM required", "", "", "",
        ]
    ])
    static let securityCapability = BitTable([["SDA", "DDA", "Card capture", "", "CDA", "", "", ""]])

    /// Tag DF811B (EMV Contactless Book C-2, Annex A).
    static let kernelConfiguration = BitTable([
        [
            "Mag-stripe mode contactless transactions not supported", "EMV mode contactless transactions not supported",
            "On-device cardholder verification supported", "Relay resistance protocol supported",
            "Reserved for payment system", "Read all records even when no CDA", "", "",
        ]
    ])
}

extension Meaning {
    /// Tag 91: an ARPC and the response code (method 1), or an ARPC of four bytes and the CSU (Book 3, 8.2).
    mutating func issuerAuthentication(_ value: Span<UInt8>) {
        if value.count == 10 {
            text("ARPC and response code")
            put("ARPC ")
            put(hex: value.extracting(0..<8))
            endLine()
            put("response code ")
            put(hex: value.extracting(8..<10))
            endLine()
            return
        }
        text("ARPC and card status update, if made by method 2")
        put("ARPC ")
        put(hex: value.extracting(0..<4))
        endLine()
        let update = value.extracting(4..<8)
        put("CSU ")
        put(hex: update)
        endLine()
        BitTable.cardStatusUpdate.writeLines(update, into: &self)
        put("PIN Try Counter to set: ")
        put(Int(update[0] & 0x0F))
        endLine()
        switch update[1] & 0x03 {
        case 0: line("velocity counters are not updated")
        case 1: line("velocity counters are set to the upper offline limits")
        case 2: line("velocity counters are reset to zero")
        default: line("the transaction is added to the velocity counters")
        }
        if value.count > 8 {
            put("proprietary authentication data ")
            put(hex: value.extracting(8..<value.count))
            endLine()
        }
    }

    /// Tag 9F5B: one result of five bytes a script (Book 4, Annex A5).
    mutating func scriptResults(_ value: Span<UInt8>) {
        guard value.count > 0, value.count % 5 == 0 else { return }
        for start in stride(from: 0, to: value.count, by: 5) {
            switch value[start] >> 4 {
            case 0: put("script not performed")
            case 1: put("script processing failed")
            case 2: put("script processing successful")
            default: put("reserved result")
            }
            let command = Int(value[start] & 0x0F)
            if command > 0 {
                put(command == 15 ? ", at command 15 or later" : ", at command ")
                if command < 15 { put(command) }
            }
            put(", script identifier ")
            put(hex: value.extracting(start + 1..<start + 5))
            endLine()
        }
    }

    /// Tag 9F6E: Mastercard's Third Party Data, or Visa's Form Factor Indicator; else its bytes say nothing.
    mutating func formFactor(_ value: Span<UInt8>, _ context: DecodeContext) {
        switch context.provider {
        case 0xA0_0000_0004 where value.count >= 5:
            put("Third Party Data")
            endText()
            if let country = bcd(value.extracting(0..<2)) {
                put("country ")
                put(country: country)
                endLine()
            }
            put("unique identifier ")
            put(hex: value.extracting(2..<4))
            endLine()
            put("data ")
            put(hex: value.extracting(4..<value.count))
            endLine()
        case 0xA0_0000_0003 where value.count == 4:
            text("Form Factor Indicator")
            put("form factor indicator version ")
            put(Int(value[0] >> 5))
            endLine()
            switch value[0] & 0x1F {
            case 0: line("standard card")
            case 1: line("mini card")
            case 2: line("non-card form factor")
            case 3: line("consumer mobile phone")
            case 4: line("wrist-worn device")
            default: line("other form factor")
            }
        default: return
        }
    }
}
