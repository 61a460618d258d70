import BERTLV
import EMV

/// Hides values that may hold card data although their tags do not say so.
enum Masking {
    /// Whether a value is to be hidden although its tag is not a sensitive one.
    static func mustHide(_ tag: Tag, _ value: Span<UInt8>, isText: Bool) -> Bool {
        if value.count < 7 { return false }
        switch (tag.number, value.count) {
        case (0x9F26, 8): return false
        // Random values could hold a card number's digits by chance, and hold one only after damage: a wrong length
        // that took in the objects behind.
        case (0x90, 36...), (0x93, 36...), (0x9F2D, 36...), (0x9F46, 36...), (0x9F4B, 36...),
            (0x92, 20...), (0x9F2F, 20...), (0x9F48, 20...):
            return CardDataScan.holdsMarkedPAN(value)
        case (0x91, 8...16): return CardDataScan.beginsWithPAN(value) || CardDataScan.holdsMarkedPAN(value)
        case (0x9F10, _) where IssuerApplicationData.layout(of: value, provider: nil) != nil:
            return CardDataScan.beginsWithPAN(value) || CardDataScan.holdsMarkedPAN(value)
        default: return CardDataScan.mayHoldPAN(value, isText: isText)
        }
    }

    /// A number that begins or ends in a stretch of bytes takes up to this many of the bytes beside it.
    static let reach = 9

    /// Whether an object may be none: its tag and its length may be bytes of the number that its value goes on with.
    static func mayContinueHeader(_ entry: TLVOutline.Entry, _ finding: ObjectDecoder.Finding) -> Bool {
        finding.element < 0 || !finding.hasRightLength || !entry.notes.isEmpty
    }
}

extension Meaning {
    /// Stands for a value that may hold card data.
    mutating func put(hidden count: Int) {
        put("(masked, ")
        put(count)
        put(" bytes)")
    }
}
