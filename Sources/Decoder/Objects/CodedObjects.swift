extension Meaning {
    /// For an object that is a look-up: the text, or a remark that the code is unknown.
    private mutating func code(_ name: StaticString?) { text(name ?? "unknown code") }

    /// Tag 9F35 (Book 4, Annex A1).
    mutating func terminalType(_ value: Span<UInt8>) {
        guard let type = bcd(value) else { return code(nil) }
        let owner: StaticString
        switch type / 10 {
        case 1: owner = "financial institution, "
        case 2: owner = "merchant, "
        case 3: owner = "cardholder, "
        default: return code(nil)
        }
        let place: StaticString
        switch type % 10 {
        case 1: place = "attended, online only"
        case 2: place = "attended, offline with online capability"
        case 3: place = "attended, offline only"
        case 4: place = "unattended, online only"
        case 5: place = "unattended, offline with online capability"
        case 6: place = "unattended, offline only"
        default: return code(nil)
        }
        put(owner)
        text(place)
    }

    /// Tag 9C (ISO 8583:1987, processing code, first two digits).
    mutating func transactionType(_ value: Span<UInt8>) {
        switch bcd(value) {
        case 0: code("goods or services")
        case 1: code("cash")
        case 2: code("adjustment, debit")
        case 9: code("purchase with cashback")
        case 17: code("cash disbursement")
        case 20: code("refund")
        case 21: code("deposit")
        case 22: code("adjustment, credit")
        case 28: code("payment, credit")
        case 30: code("inquiry")
        case 31: code("balance inquiry")
        case 40: code("transfer")
        case 50: code("payment")
        default: code(nil)
        }
    }

    /// Tag 9F39 (ISO 8583, point-of-service entry mode, first two digits).
    mutating func entryMode(_ value: Span<UInt8>) {
        switch bcd(value) {
        case 0: code("unspecified")
        case 1: code("manual entry")
        case 2: code("magnetic stripe")
        case 3: code("bar code")
        case 4: code("optical character reading")
        case 5: code("chip")
        case 7: code("contactless chip")
        case 10: code("credentials on file")
        case 80: code("magnetic stripe after chip failure")
        case 90: code("magnetic stripe, full track")
        case 91: code("contactless magnetic stripe")
        case 95: code("chip, card code unreliable")
        default: code(nil)
        }
    }

    /// Tag 5F57 (Book 4, Annex A).
    mutating func accountType(_ value: Span<UInt8>) {
        switch bcd(value) {
        case 0: code("default account")
        case 10: code("savings account")
        case 20: code("cheque or debit account")
        case 30: code("credit account")
        default: code(nil)
        }
    }

    /// Tag 87 (Book 1, table 48).
    mutating func priority(_ value: Span<UInt8>) {
        guard value.count > 0 else { return }
        let rank = Int(value[0] & 0x0F)
        if rank == 0 {
            text("no priority")
        } else {
            put("priority ")
            put(rank)
            if rank == 1 { put(" (highest)") }
            endText()
        }
        if value[0] & 0x80 != 0 { line("cannot be selected without the cardholder's confirmation") }
    }

    /// Tag 9F11.
    mutating func codeTable(_ value: Span<UInt8>) {
        guard let part = bcd(value), (1...10).contains(part) else { return code(nil) }
        put("ISO 8859-")
        put(part)
        endText()
    }

    /// Tag 5F30 (ISO/IEC 7813): three digits behind a zero.
    mutating func serviceCode(_ value: Span<UInt8>) {
        guard value.count == 2, let number = bcd(value), number < 1000 else { return text("not three digits") }
        put(number, digits: 3)
        endText()
        switch number / 100 {
        case 1: line("international interchange")
        case 2: line("international interchange, chip to be used where feasible")
        case 5: line("national interchange only")
        case 6: line("national interchange only, chip to be used where feasible")
        case 7: line("private, except under bilateral agreement")
        case 9: line("test card")
        default: line("reserved interchange digit")
        }
        switch number / 10 % 10 {
        case 0: line("normal authorisation")
        case 2: line("authorisation by the issuer online")
        case 4: line("authorisation by the issuer online, except under bilateral agreement")
        default: line("reserved authorisation digit")
        }
        switch number % 10 {
        case 0: line("no restrictions, PIN required")
        case 1: line("no restrictions")
        case 2: line("goods and services only")
        case 3: line("ATM only, PIN required")
        case 4: line("cash only")
        case 5: line("goods and services only, PIN required")
        case 6: line("no restrictions, PIN where feasible")
        case 7: line("goods and services only, PIN where feasible")
        default: line("reserved services digit")
        }
    }

    /// Tag DF52 of the NEO2 readers.
    mutating func readerCVM(_ value: Span<UInt8>) {
        switch value.count == 1 ? value[0] : 0xFF {
        case 0: code("no CVM")
        case 1: code("signature")
        case 2: code("online PIN")
        case 3: code("consumer device CVM")
        default: code(nil)
        }
    }

    /// Tag DFEE30 of the NEO2 readers.
    mutating func readerInterface(_ value: Span<UInt8>) {
        switch value.count == 1 ? value[0] : 0xFF {
        case 0x00: code("contactless")
        case 0x0C: code("swipe")
        default: code(nil)
        }
    }

    /// Tag 8A (Book 4, Annex A6; ISO 8583 response codes).
    mutating func responseCode(_ value: Span<UInt8>) {
        guard value.count == 2, isASCII(value) else { return text("not two characters") }
        put(text: value)
        put(": ")
        text(Self.response(UInt16(value[0]) << 8 | UInt16(value[1])) ?? "declined, or unknown code")
    }

    /// - Parameter code: the two characters.
    private static func response(_ code: UInt16) -> StaticString? {
        switch code {
        case 0x5931: "offline approved"
        case 0x5A31: "offline declined"
        case 0x5933: "unable to go online, offline approved"
        case 0x5A33: "unable to go online, offline declined"
        case 0x5932: "approved after a referral (old versions of EMV)"
        case 0x5A32: "declined after a referral (old versions of EMV)"
        case 0x3030: "approved"
        case 0x3031: "refer to issuer"
        case 0x3032: "refer to issuer, special condition"
        case 0x3033: "invalid merchant"
        case 0x3034: "pick up card"
        case 0x3035: "do not honour"
        case 0x3036: "error"
        case 0x3037: "pick up card, special condition"
        case 0x3038: "approved with identification"
        case 0x3130: "partially approved"
        case 0x3131: "approved (VIP)"
        case 0x3132: "invalid transaction"
        case 0x3133: "invalid amount"
        case 0x3134: "invalid card number"
        case 0x3135: "no such issuer"
        case 0x3139: "re-enter transaction"
        case 0x3141: "additional customer authentication required: use the contact chip or PIN"
        case 0x3330: "format error"
        case 0x3431: "pick up card, lost"
        case 0x3433: "pick up card, stolen"
        case 0x3531: "insufficient funds"
        case 0x3534: "expired card"
        case 0x3535: "incorrect PIN"
        case 0x3537: "transaction not permitted to cardholder"
        case 0x3538: "transaction not permitted to terminal"
        case 0x3539: "suspected fraud"
        case 0x3631: "amount limit exceeded"
        case 0x3632: "restricted card"
        case 0x3633: "security violation"
        case 0x3635: "limit of uses exceeded, or use the contact chip or PIN"
        case 0x3638: "response received too late"
        case 0x3735: "PIN tries exceeded"
        case 0x3931: "issuer unavailable"
        case 0x3934: "duplicate transmission"
        case 0x3936: "system malfunction"
        default: nil
        }
    }
}
