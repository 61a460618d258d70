import JSONText

/// Who takes the money, and at which terminal.
public struct MerchantSection: ConfigurationSection, Hashable {
    /// On receipts; 1 to 100 characters.
    public let name: String
    /// Tag 9F16; 1 to 15 ASCII characters.
    public let merchantID: String
    /// Tag 9F15; four digits (ISO 18245).
    public let categoryCode: String
    /// Tag 9F1C; eight ASCII characters.
    public let terminalID: String

    init(_ file: ObjectReader) {
        name = file.value("merchantName", .line(1...100), default: "ReaderKit")
        merchantID = file.value("merchantId", .ascii(1...15), default: "READERKIT000001")
        categoryCode = file.value("merchantCategoryCode", .digits(4), default: "5999")
        terminalID = file.value("terminalId", .ascii(8...8), default: "KIOSK001")
    }

    /// As tag 9F15 has it: two bytes.
    public var categoryCodeBCD: [UInt8] {
        let digits = HexText.digits(categoryCode) ?? []
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    var members: [JSONValue.Member] {
        [
            .init("merchantName", .string(name)), .init("merchantId", .string(merchantID)),
            .init("merchantCategoryCode", .string(categoryCode)), .init("terminalId", .string(terminalID)),
        ]
    }
}

extension KioskConfiguration {
    public var merchant: MerchantSection { self[MerchantSection.self] }
}
