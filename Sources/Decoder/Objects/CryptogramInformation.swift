extension Meaning {
    /// Tag 9F27 (Book 3, table 15).
    mutating func cryptogramInformation(_ value: Span<UInt8>) {
        guard value.count > 0 else { return }
        let byte = value[0]
        text(Self.cryptogramType(byte))
        if byte & 0x30 != 0 {
            put("payment-system-specific cryptogram bits ")
            put(hex: byte & 0x30)
            endLine()
        }
        if byte & 0x08 != 0 { line("advice required") }
        switch byte & 0x07 {
        case 0: return
        case 1: line("reason: service not allowed")
        case 2: line("reason: PIN Try Limit exceeded")
        case 3: line("reason: issuer authentication failed")
        default: line("reason: reserved for future use")
        }
    }

    static func cryptogramType(_ information: UInt8) -> StaticString {
        switch information >> 6 {
        case 0: "AAC (declined)"
        case 1: "TC (approved)"
        case 2: "ARQC (go online)"
        default: "reserved for future use"
        }
    }
}
