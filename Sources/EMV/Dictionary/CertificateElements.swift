import BERTLV

extension DataDictionary {
    /// Keys, certificates and signatures of offline data authentication (Book 2, 5 to 7).
    static let certificateElements: [DataElement] = [
        DataElement(0x8F, "Certification Authority Public Key Index (card)", .card, .binary, 1...1),
        DataElement(0x90, "Issuer Public Key Certificate", .card, .binary, 36...248),
        DataElement(0x92, "Issuer Public Key Remainder", .card, .binary, 0...248),
        DataElement(0x93, "Signed Static Application Data", .card, .binary, 36...248),
        DataElement(0x9F22, "Certification Authority Public Key Index (terminal)", .terminal, .binary, 1...1),
        DataElement(0x9F2D, "ICC PIN Encipherment Public Key Certificate", .card, .binary, 36...248),
        DataElement(0x9F2E, "ICC PIN Encipherment Public Key Exponent", .card, .binary, 1...3),
        DataElement(0x9F2F, "ICC PIN Encipherment Public Key Remainder", .card, .binary, 0...248),
        DataElement(0x9F32, "Issuer Public Key Exponent", .card, .binary, 1...3),
        DataElement(0x9F46, "ICC Public Key Certificate", .card, .binary, 36...248),
        DataElement(0x9F47, "ICC Public Key Exponent", .card, .binary, 1...3),
        DataElement(0x9F48, "ICC Public Key Remainder", .card, .binary, 0...248),
        DataElement(0x9F4A, "Static Data Authentication Tag List", .card, .binary, 0...252),
        DataElement(0x9F4B, "Signed Dynamic Application Data", .card, .binary, 36...248),
    ]
}
