/// How the card data came to the kiosk (ISO 8583 field 22, POS entry mode).
public enum EntryMode: String, Sendable, Hashable, CaseIterable {
    case contactChip
    case contactlessChip
    case magneticStripe
    /// The chip could not be talked to.
    case fallbackStripe
    case manual

    /// The two digits of tag 9F39 and of the first part of field 22.
    public var code: String {
        switch self {
        case .contactChip: "05"
        case .contactlessChip: "07"
        case .magneticStripe: "90"
        case .fallbackStripe: "80"
        case .manual: "01"
        }
    }

    /// Whether the request must carry chip data with a cryptogram.
    public var isChip: Bool { self == .contactChip || self == .contactlessChip }
}
