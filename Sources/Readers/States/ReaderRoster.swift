/// Every reader that is known, and how it is, at one instant.
public struct ReaderRoster: Sendable, Hashable {
    public struct Entry: Sendable, Hashable {
        public let reader: FoundReader
        public let state: ReaderState
        /// The last look at it since it was plugged in; nil before the first, and when it has left.
        public let report: ReaderReport?
    }

    /// Grows by one with each change: a gap means that steps were passed over.
    public let revision: UInt64
    /// By id.
    public let entries: [Entry]

    public subscript(id: String) -> Entry? { entries.first { $0.reader.id == id } }
}
