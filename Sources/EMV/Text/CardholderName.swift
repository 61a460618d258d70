/// Tag 5F20: `SURNAME/FIRST NAME`, padded with spaces.
public enum CardholderName {
    /// Trimmed; empty for a name that says nothing (blank or only a slash) or that is no printable text.
    public static func text(_ value: [UInt8]) -> String {
        guard !CardText.isBlankName(value), let text = CardText.ascii(value) else { return "" }
        return CardText.trimmed(text)
    }
}
