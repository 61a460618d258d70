import EMV

/// `cardtype` of the response model, by the registered application provider (first five bytes of the AID) and, without
/// an AID, by the issuer prefix.
public enum CardBrand: String, Sendable, Hashable, CaseIterable {
    case visa = "VISA"
    case mastercard = "MASTERCARD"
    case americanExpress = "AMERICAN EXPRESS"
    case carnet = "CARNET"

    public init?(aid: [UInt8]) {
        switch Array(aid.prefix(5)) {
        case [0xA0, 0x00, 0x00, 0x00, 0x03]: self = .visa
        case [0xA0, 0x00, 0x00, 0x00, 0x04]: self = .mastercard
        case [0xA0, 0x00, 0x00, 0x00, 0x25]: self = .americanExpress
        default: return nil
        }
    }

    /// By the first six digits (ISO/IEC 7812). Carnet's ranges are those its issuers publish.
    public init?(issuerPrefix: String) {
        guard let prefix = Int(issuerPrefix), issuerPrefix.count == 6 else { return nil }
        switch prefix {
        case 286_900...286_999, 502_275...502_275, 506_199...506_499, 627_535...627_535, 636_318...636_318,
            639_388...639_388, 639_484...639_484, 639_559...639_559:
            self = .carnet
        case 400_000...499_999: self = .visa
        case 222_100...272_099, 510_000...559_999: self = .mastercard
        case 340_000...349_999, 370_000...379_999: self = .americanExpress
        default: return nil
        }
    }
}
