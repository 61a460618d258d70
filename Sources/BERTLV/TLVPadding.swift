/// Which bytes may stand between data objects without being one (EMV Book 3, Annex B; ISO/IEC 7816-4, 5.2.2).
public enum TLVPadding: String, Sendable, Hashable, CaseIterable {
    /// None: a run of 00 is a problem, and is then skipped.
    case strict
    /// Runs of 00, as EMV says. FF begins a tag.
    case zero
    /// Runs of 00 and FF. Two or more FF are always filler; a single FF is a tag when what follows reads as a template.
    case any
}

/// How hostile or damaged input is to be read.
public struct TLVOptions: Sendable, Hashable {
    public var padding: TLVPadding
    /// Levels of templates within templates; deeper values are kept raw.
    public var depthLimit: Int
    /// Bytes of input that are accepted.
    public var sizeLimit: Int
    /// Takes two last bytes such as 90 00 or 6A 82, after at least one complete object, for the card's status word.
    public var splitsStatusWord: Bool

    public init(
        padding: TLVPadding = .zero, depthLimit: Int = 32, sizeLimit: Int = 16 << 20, splitsStatusWord: Bool = false
    ) {
        self.padding = padding
        self.depthLimit = depthLimit
        self.sizeLimit = sizeLimit
        self.splitsStatusWord = splitsStatusWord
    }
}
