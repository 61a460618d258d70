/// Tag 9F10 as far as its shape tells: which rules made the cryptogram, with which key, and what the card found.
public struct IssuerApplicationData: Sendable, Hashable {
    /// The family whose layout fits.
    public enum Layout: Sendable, Hashable {
        /// Visa formats 0, 1 and 3: 06 and a three-byte CVR with its length.
        case visaShort
        /// Visa formats 2 and 4: 32 bytes.
        case visaLong
        case mChip
        case commonCore
        case americanExpress
        case unionPay
    }

    public let layout: Layout
    /// The cryptogram version number as its byte: `0x0A` is Visa's CVN 10.
    public let cryptogramVersion: UInt8
    /// Which of the issuer's keys made the card key.
    public let derivationKeyIndex: UInt8
    /// The card verification results; in the short Visa layout with their length byte, four bytes in all.
    public let verificationResults: [UInt8]
    /// M/Chip's eight counter bytes, when there are any; else empty.
    public let counters: [UInt8]
    /// The rules of the cryptogram; nil when they are not known well enough to verify it.
    public let scheme: CryptogramScheme?
    /// The whole value, as the card sent it.
    public let value: [UInt8]

    /// Recognises the value of tag 9F10 (at most 32 bytes). When the application's identifier is given, its first five
    /// bytes decide whose layouts are looked at; else the shape alone does. Nil when no layout fits.
    public init?(_ value: [UInt8], applicationIdentifier: [UInt8]? = nil) {
        guard value.count <= 32 else { return nil }
        let provider = applicationIdentifier.flatMap { name in
            name.count < 5 ? nil : name.prefix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        guard let layout = Self.layout(of: value.span, provider: provider) else { return nil }
        self.value = value
        self.layout = layout
        switch layout {
        case .visaShort, .americanExpress, .unionPay:
            derivationKeyIndex = value[1]
            cryptogramVersion = value[2]
            verificationResults = Array(value[3..<7])
            counters = []
        case .visaLong, .commonCore:
            cryptogramVersion = value[1]
            derivationKeyIndex = value[2]
            verificationResults = Array(value[3..<8])
            counters = []
        case .mChip:
            derivationKeyIndex = value[0]
            cryptogramVersion = value[1]
            verificationResults = Array(value[2..<8])
            counters = Array(value[10..<18])
        }
        scheme = Self.scheme(layout, cryptogramVersion)
    }

    /// The layout that fits, without making copies.
    /// - Parameter provider: the first five bytes of the application's identifier as a number.
    package static func layout(of value: Span<UInt8>, provider: UInt64?) -> Layout? {
        guard value.count <= 32 else { return nil }
        switch provider {
        case 0xA0_0000_0003:
            return fits(value, .visaLong) ?? fits(value, .visaShort) ?? fits(value, .commonCore)
        case 0xA0_0000_0004: return fits(value, .commonCore) ?? fits(value, .mChip)
        case 0xA0_0000_0025: return fits(value, .americanExpress)
        case 0xA0_0000_0333: return fits(value, .unionPay)
        // JCB, Discover and Interac: own layouts that are not published.
        case 0xA0_0000_0065, 0xA0_0000_0152, 0xA0_0000_0277: return fits(value, .commonCore)
        default:
            return fits(value, .visaLong) ?? fits(value, .commonCore) ?? fits(value, .visaShort)
                ?? fits(value, .unionPay) ?? fits(value, .mChip)
        }
    }

    /// The layout, if the value has its shape.
    private static func fits(_ value: Span<UInt8>, _ layout: Layout) -> Layout? {
        let count = value.count
        let hasShape =
            switch layout {
            case .visaShort, .americanExpress: count >= 7 && value[0] == 0x06 && value[3] == 0x03
            case .unionPay: count >= 7 && value[0] == 0x07 && value[3] == 0x03
            case .visaLong: count == 32 && value[0] == 0x1F
            case .commonCore: count == 32 && value[0] == 0x0F && value[16] == 0x0F
            case .mChip: (count == 18 || count == 20 || count == 26 || count == 28) && value[1] & 0xF8 == 0x10
            }
        return hasShape ? layout : nil
    }

    private static func scheme(_ layout: Layout, _ version: UInt8) -> CryptogramScheme? {
        switch (layout, version) {
        case (.visaShort, 0x0A): .visa10
        case (.visaShort, 0x12): .visa18
        case (.visaLong, 0x22): .visa22
        case (.visaLong, 0x2C): .visa2C
        case (.mChip, 0x10): .mChip16
        case (.mChip, 0x11): .mChip17
        case (.mChip, 0x14): .mChip20
        case (.mChip, 0x15): .mChip21
        case (.commonCore, 0xA5): .ccdA5
        case (.commonCore, 0xA6): .ccdA6
        default: nil
        }
    }
}
