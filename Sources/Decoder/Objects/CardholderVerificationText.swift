extension Meaning {
    /// Tag 8E (Book 3, 10.5 and Annex C3): X, Y, then rules of two bytes.
    mutating func methodList(_ value: Span<UInt8>, _ context: DecodeContext) {
        guard value.count >= 8 else { return }
        put((value.count - 8) / 2)
        text(" rules")
        for (name, start) in [("X = ", 0), ("Y = ", 4)] as [(StaticString, Int)] {
            put(name)
            put(
                amount: binary(value.extracting(start..<start + 4)), currency: context.applicationCurrency,
                exponent: context.applicationExponent)
            endLine()
        }
        for position in stride(from: 8, to: value.count - 1, by: 2) {
            methodRule(value[position], value[position + 1])
        }
    }

    /// Tag 9F34 (Book 4, Annex A4): method, condition, result.
    mutating func methodResults(_ value: Span<UInt8>) {
        guard value.count == 3 else { return }
        put(value[0] == 0x3F ? "no CVM performed" : Self.method(value[0]))
        switch value[2] {
        case 0: text(": result unknown")
        case 1: text(": failed")
        case 2: text(": successful")
        default: text(": reserved result")
        }
        if value[0] == 0x3F { line("method 3F no CVM performed") } else { methodRule(value[0], value[1]) }
    }

    private mutating func methodRule(_ code: UInt8, _ condition: UInt8) {
        put(hex: code)
        put(hex: condition)
        put(" ")
        put(Self.method(code))
        put("; ")
        put(Self.condition(condition))
        line(code & 0x40 != 0 ? "; else the next rule" : "; else fail")
    }

    private static func method(_ code: UInt8) -> StaticString {
        if code & 0x80 != 0 { return "reserved method" }
        switch code & 0x3F {
        case 0x00: return "fail CVM processing"
        case 0x01: return "plaintext PIN verified by ICC"
        case 0x02: return "enciphered PIN verified online"
        case 0x03: return "plaintext PIN verified by ICC and signature"
        case 0x04: return "enciphered PIN verified by ICC"
        case 0x05: return "enciphered PIN verified by ICC and signature"
        case 0x06: return "facial biometric verified by ICC"
        case 0x07: return "facial biometric verified online"
        case 0x08: return "finger biometric verified by ICC"
        case 0x09: return "finger biometric verified online"
        case 0x0A: return "palm biometric verified by ICC"
        case 0x0B: return "palm biometric verified online"
        case 0x0C: return "iris biometric verified by ICC"
        case 0x0D: return "iris biometric verified online"
        case 0x0E: return "voice biometric verified by ICC"
        case 0x0F: return "voice biometric verified online"
        case 0x1E: return "signature"
        case 0x1F: return "no CVM required"
        case 0x3F: return "no CVM performed"
        case 0x20...0x2F: return "method of the payment system"
        case 0x30...0x3E: return "method of the issuer"
        default: return "reserved method"
        }
    }

    private static func condition(_ code: UInt8) -> StaticString {
        switch code {
        case 0x00: "always"
        case 0x01: "if unattended cash"
        case 0x02: "if not unattended cash, not manual cash, not purchase with cashback"
        case 0x03: "if the terminal supports the CVM"
        case 0x04: "if manual cash"
        case 0x05: "if purchase with cashback"
        case 0x06: "if in the application currency and under X"
        case 0x07: "if in the application currency and over X"
        case 0x08: "if in the application currency and under Y"
        case 0x09: "if in the application currency and over Y"
        case 0x0A...0x7F: "reserved condition"
        default: "condition of the payment system"
        }
    }
}
