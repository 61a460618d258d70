/// Steps over the entries of a DOL without allocating. The bytes are lent at each step.
public struct DataObjectListReader: Sendable {
    /// Set when reading ended early.
    public private(set) var error: DOLError?
    private var cursor = 0
    private var total = 0

    public init() {}

    /// The next entry; nil at the end, and after an error.
    public mutating func next(in bytes: Span<UInt8>) -> DataObjectList.Entry? {
        guard error == nil, cursor < bytes.count else { return nil }
        let start = cursor
        var number = UInt64(bytes[cursor])
        cursor += 1
        if number & 0x1F == 0x1F {
            var more = true
            while more {
                guard cursor < bytes.count else { return fail(.tagTruncated, at: cursor) }
                guard cursor - start < 8 else { return fail(.tagTooLong, at: start) }
                number = number << 8 | UInt64(bytes[cursor])
                more = bytes[cursor] & 0x80 != 0
                cursor += 1
            }
        }
        guard cursor < bytes.count else { return fail(.lengthMissing, at: cursor) }
        let entry = DataObjectList.Entry(tag: Tag(number), length: Int(bytes[cursor]))
        cursor += 1
        total += entry.length
        guard total <= DataObjectList.maximumTotalLength else { return fail(.dataTooLong, at: start) }
        return entry
    }

    private mutating func fail(_ code: DOLError.Code, at offset: Int) -> DataObjectList.Entry? {
        error = DOLError(code: code, offset: offset)
        return nil
    }
}
