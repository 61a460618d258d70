/// How a value is cut or filled to the length that a DOL asks for (EMV Book 3, 5.4).
public enum DOLFormat: Sendable, Hashable {
    /// `n`: keeps the right end, zeros on the left.
    case numeric
    /// `cn`: keeps the left end, FF on the right.
    case compressedNumeric
    /// Everything else: keeps the left end, zeros on the right.
    case other
}

/// Why a DOL cannot be used.
public struct DOLError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, Hashable {
        case tagTruncated, tagTooLong, lengthMissing
        /// The data asked for is more than 252 bytes.
        case dataTooLong
    }

    public var code: Code
    /// Of the first missing byte or of the entry.
    public var offset: Int

    public init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }
}

/// A list of tags and lengths: what the card wants to be sent (EMV Book 3, 5.4). Order and duplicates are kept.
public struct DataObjectList: Sendable, Hashable {
    public struct Entry: Sendable, Hashable {
        public var tag: Tag
        /// 0 ... 255 bytes.
        public var length: Int

        public init(tag: Tag, length: Int) {
            self.tag = tag
            self.length = length
        }
    }

    /// The data that a DOL may ask for, in bytes.
    public static let maximumTotalLength = 252

    public let entries: [Entry]

    /// - Throws: `DOLError` for an incomplete entry, or when more than 252 bytes are asked for.
    public init(parsing bytes: [UInt8]) throws(DOLError) {
        let (entries, error) = Self.scan(bytes)
        if let error { throw error }
        self.entries = entries
    }

    /// The length of the data asked for, in bytes.
    public var totalLength: Int { entries.reduce(0) { $0 + $1.length } }

    /// The entries that can be read, and what is wrong: for showing a damaged list.
    public static func scan(_ bytes: [UInt8]) -> (entries: [Entry], error: DOLError?) {
        var entries: [Entry] = []
        entries.reserveCapacity(min(bytes.count / 2, 64))
        var reader = DataObjectListReader()
        while let entry = reader.next(in: bytes.span) { entries.append(entry) }
        return (entries, reader.error)
    }

    /// The data asked for, in the order of the entries; `totalLength` bytes.
    /// - Parameters:
    ///   - value: the current value of a data object; nil when it is unknown or absent, which gives zeros.
    ///   - format: how that data object is cut and filled.
    public func build(value: (Tag) -> [UInt8]?, format: (Tag) -> DOLFormat) -> [UInt8] {
        var data: [UInt8] = []
        data.reserveCapacity(totalLength)
        for entry in entries {
            guard !entry.tag.isConstructed, let value = value(entry.tag) else {
                data += repeatElement(0x00, count: entry.length)
                continue
            }
            // Most values fit, whatever their format.
            if value.count == entry.length {
                data += value
                continue
            }
            let missing = max(0, entry.length - value.count)
            switch format(entry.tag) {
            case .numeric:
                data += repeatElement(0x00, count: missing)
                data += value.suffix(entry.length)
            case .compressedNumeric:
                data += value.prefix(entry.length)
                data += repeatElement(0xFF, count: missing)
            case .other:
                data += value.prefix(entry.length)
                data += repeatElement(0x00, count: missing)
            }
        }
        return data
    }
}
