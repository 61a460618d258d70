import BERTLV

/// What the meaning of an object takes from other objects beside it.
struct DecodeContext: Sendable {
    /// ISO 4217 number, tag 5F2A.
    var currency: Int?
    /// Tag 5F36.
    var currencyExponent: Int?
    /// ISO 4217 number, tag 9F42.
    var applicationCurrency: Int?
    /// Tag 9F44.
    var applicationExponent: Int?
    /// The part of ISO/IEC 8859, tag 9F11.
    var codeTable: Int?
    /// Whose application it is: the first five bytes of tag 4F, 84 or 9F06.
    var provider: UInt64?

    /// Takes what an object tells, if nothing told it before.
    mutating func take(_ tag: Tag, _ value: Span<UInt8>) {
        switch tag.number {
        case 0x5F2A: currency = currency ?? number(value)
        case 0x5F36: currencyExponent = currencyExponent ?? number(value)
        case 0x9F42: applicationCurrency = applicationCurrency ?? number(value)
        case 0x9F44: applicationExponent = applicationExponent ?? number(value)
        case 0x9F11: codeTable = codeTable ?? number(value)
        case 0x4F, 0x84, 0x9F06: provider = provider ?? Self.provider(value)
        default: return
        }
    }

    /// Takes from another context what this one does not have.
    mutating func fill(from other: DecodeContext) {
        currency = currency ?? other.currency
        currencyExponent = currencyExponent ?? other.currencyExponent
        applicationCurrency = applicationCurrency ?? other.applicationCurrency
        applicationExponent = applicationExponent ?? other.applicationExponent
        codeTable = codeTable ?? other.codeTable
        provider = provider ?? other.provider
    }

    /// Nil for the name of a directory, which is no application.
    private static func provider(_ value: Span<UInt8>) -> UInt64? {
        guard value.count >= 5, value[1] != UInt8(ascii: "P") else { return nil }
        var number: UInt64 = 0
        for position in 0..<5 { number = number << 8 | UInt64(value[position]) }
        return number
    }

    private func number(_ value: Span<UInt8>) -> Int? { value.count <= 2 ? bcd(value) : nil }
}
