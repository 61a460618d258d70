public import BERTLV

/// How the decoder reads and shows.
public struct DecodeOptions: Sendable, Hashable {
    public var padding: TLVPadding
    /// Shows PAN, track and cardholder data, because a person asked for it.
    public var reveal: Bool
    /// One JSON document instead of text for people.
    public var asJSON: Bool

    public init(padding: TLVPadding = .zero, reveal: Bool = false, asJSON: Bool = false) {
        self.padding = padding
        self.reveal = reveal
        self.asJSON = asJSON
    }
}
