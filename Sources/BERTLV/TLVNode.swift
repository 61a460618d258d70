/// What is unusual about an object that was read all the same.
public struct TLVNotes: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The length could have been written in fewer bytes.
    public static let nonMinimalLength = TLVNotes(rawValue: 1)
    /// The first continuation byte of the tag is 80.
    public static let nonMinimalTag = TLVNotes(rawValue: 2)
    /// The length byte is invalid, and was taken for a plain number because the data then fits exactly.
    public static let guessedLength = TLVNotes(rawValue: 4)
    /// The data ends before the value does: the value is only its beginning.
    public static let truncatedValue = TLVNotes(rawValue: 8)
}

/// One data object of a `TLVTree`. Ranges point into the tree's bytes.
public struct TLVNode: Sendable, Hashable {
    public var tag: Tag
    /// Of the tag's first byte, from the first byte of the input.
    public var offset: Int
    public var valueRange: Range<Int>
    /// The objects inside, in order, duplicates included; empty for a primitive object.
    public var children: [TLVNode]
    /// The end of a constructed object's value that is not TLV; all of the value when nothing of it is.
    public var rawRange: Range<Int>?
    public var notes: TLVNotes

    public init(
        tag: Tag, offset: Int, valueRange: Range<Int>, children: [TLVNode] = [], rawRange: Range<Int>? = nil,
        notes: TLVNotes = []
    ) {
        self.tag = tag
        self.offset = offset
        self.valueRange = valueRange
        self.children = children
        self.rawRange = rawRange
        self.notes = notes
    }

    /// A constructed object whose value is not, or not to its end, TLV.
    public var isRaw: Bool { rawRange != nil }
    /// In bytes.
    public var length: Int { valueRange.count }
}
