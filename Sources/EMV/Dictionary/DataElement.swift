public import BERTLV

/// What EMV says about one data object (Book 3, Annex A).
public struct DataElement: Sendable, Hashable {
    /// Who provides the value.
    public struct Source: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let terminal = Source(rawValue: 1)
        public static let card = Source(rawValue: 2)
        public static let issuer = Source(rawValue: 4)
    }

    /// The formats of Book 3, 4.3.
    public enum Format: String, Sendable, Hashable {
        /// Digits, two a byte, right-justified.
        case numeric = "n"
        /// Digits, two a byte, left-justified, F behind.
        case compressedNumeric = "cn"
        case alphabetic = "a"
        case alphanumeric = "an"
        case alphanumericSpecial = "ans"
        case binary = "b"
        case template
    }

    public let tag: Tag
    public let name: String
    public let source: Source
    public let format: Format
    /// In bytes.
    public let lengths: ClosedRange<Int>
    /// The length is a multiple of this.
    public let step: Int
    /// Schemes and vendors use the tag for other things too, so that format and length say nothing for certain.
    public let isAmbiguous: Bool

    init(
        _ tag: Tag, _ name: String, _ source: Source, _ format: Format, _ lengths: ClosedRange<Int>, step: Int = 1,
        ambiguous: Bool = false
    ) {
        self.tag = tag
        self.name = name
        self.source = source
        self.format = format
        self.lengths = lengths
        self.step = step
        isAmbiguous = ambiguous
    }

    /// Whether a value may have this many bytes.
    public func allows(length: Int) -> Bool {
        isAmbiguous || (lengths.contains(length) && length % step == 0)
    }

    /// The value is characters.
    package var isText: Bool {
        switch format {
        case .alphabetic, .alphanumeric, .alphanumericSpecial: true
        default: false
        }
    }

    /// The lengths allowed, for people: `8`, `5 to 16`, `4 to 252 in steps of 4`.
    public var lengthText: String {
        var text = "\(lengths.lowerBound)"
        if lengths.count > 1 { text += " to \(lengths.upperBound)" }
        if step > 1, lengths.count > 1 { text += " in steps of \(step)" }
        return text
    }

    /// How a value is cut and filled for a data object list.
    public var dolFormat: DOLFormat {
        switch format {
        case .numeric: .numeric
        case .compressedNumeric: .compressedNumeric
        default: .other
        }
    }
}
