/// Payment applications by their registered identifiers (RID: the first five bytes).
enum ApplicationName {
    private struct Entry: Sendable {
        /// The first bytes of the AID as a number, and how many they are.
        var number: UInt64
        var length: Int
        var name: StaticString
    }

    /// The card type as the payment response names it; nil for an unknown RID.
    static func cardType(_ aid: Span<UInt8>) -> String? {
        guard aid.count >= 5 else { return nil }
        return switch binary(aid.extracting(0..<5)) {
        case 0xA0_0000_0003, 0xA0_0000_0098: "VISA"
        case 0xA0_0000_0004, 0xA0_0000_0005: "MASTERCARD"
        case 0xA0_0000_0025: "AMERICAN EXPRESS"
        case 0xA0_0000_0152, 0xA0_0000_0324: "DISCOVER"
        case 0xA0_0000_0065: "JCB"
        case 0xA0_0000_0333: "UNIONPAY"
        case 0xA0_0000_0277: "INTERAC"
        case 0xA0_0000_0658: "MIR"
        default: nil
        }
    }

    /// The application's name: `Visa Electron`; nil for an unknown one.
    static func name(_ aid: Span<UInt8>) -> StaticString? {
        var number: UInt64 = 0
        for position in 0..<min(8, aid.count) { number = number << 8 | UInt64(aid[position]) }
        let count = min(8, aid.count)
        for entry in entries where entry.length <= count {
            if number >> UInt64((count - entry.length) * 8) == entry.number { return entry.name }
        }
        return nil
    }

    /// The longer ones of a provider first.
    private static let entries = [
        Entry(number: 0xA0_0000_0003_1010, length: 7, name: "Visa credit or debit"),
        Entry(number: 0xA0_0000_0003_2010, length: 7, name: "Visa Electron"),
        Entry(number: 0xA0_0000_0003_2020, length: 7, name: "V PAY"),
        Entry(number: 0xA0_0000_0003_3010, length: 7, name: "Visa Interlink"),
        Entry(number: 0xA0_0000_0003_8010, length: 7, name: "Plus"),
        Entry(number: 0xA0_0000_0003, length: 5, name: "Visa"),
        Entry(number: 0xA0_0000_0098_0840, length: 7, name: "Visa US common debit"),
        Entry(number: 0xA0_0000_0004_1010, length: 7, name: "Mastercard credit or debit"),
        Entry(number: 0xA0_0000_0004_2203, length: 7, name: "Mastercard US common debit"),
        Entry(number: 0xA0_0000_0004_3060, length: 7, name: "Maestro"),
        Entry(number: 0xA0_0000_0004_6000, length: 7, name: "Cirrus"),
        Entry(number: 0xA0_0000_0004, length: 5, name: "Mastercard"),
        Entry(number: 0xA0_0000_0005, length: 5, name: "Maestro UK"),
        Entry(number: 0xA0_0000_0025, length: 5, name: "American Express"),
        Entry(number: 0xA0_0000_0152_3010, length: 7, name: "Discover"),
        Entry(number: 0xA0_0000_0152_4010, length: 7, name: "Discover US common debit"),
        Entry(number: 0xA0_0000_0152, length: 5, name: "Discover"),
        Entry(number: 0xA0_0000_0324, length: 5, name: "Discover ZIP"),
        Entry(number: 0xA0_0000_0065, length: 5, name: "JCB"),
        Entry(number: 0xA0_0000_0333_0101_01, length: 8, name: "UnionPay debit"),
        Entry(number: 0xA0_0000_0333_0101_02, length: 8, name: "UnionPay credit"),
        Entry(number: 0xA0_0000_0333_0101_03, length: 8, name: "UnionPay quasi credit"),
        Entry(number: 0xA0_0000_0333_0101_08, length: 8, name: "UnionPay US common debit"),
        Entry(number: 0xA0_0000_0333, length: 5, name: "UnionPay"),
        Entry(number: 0xA0_0000_0277, length: 5, name: "Interac"),
        Entry(number: 0xA0_0000_0658, length: 5, name: "Mir"),
        Entry(number: 0xA0_0000_0042_1010, length: 7, name: "Cartes Bancaires"),
        Entry(number: 0xA0_0000_0042, length: 5, name: "Cartes Bancaires"),
        Entry(number: 0xA0_0000_0141, length: 5, name: "PagoBANCOMAT"),
        Entry(number: 0xA0_0000_0121, length: 5, name: "Dankort"),
        Entry(number: 0xA0_0000_0359, length: 5, name: "girocard"),
        Entry(number: 0xA0_0000_0384, length: 5, name: "eftpos Australia"),
        Entry(number: 0xA0_0000_0524, length: 5, name: "RuPay"),
        Entry(number: 0xA0_0000_0620, length: 5, name: "DNA shared debit"),
        Entry(number: 0xA0_0000_0672, length: 5, name: "Troy"),
        Entry(number: 0xA0_0000_0029, length: 5, name: "Link"),
    ]
}
