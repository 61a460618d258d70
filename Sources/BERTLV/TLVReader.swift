/// Steps over the data objects of one level without copying or allocating. It holds positions only; the bytes are lent
/// at each step. Never traps on any input, and each step moves forward or ends.
public struct TLVReader: Sendable {
    /// One object found. Offsets count from the first byte lent.
    public struct Item: Sendable, Hashable {
        public var tag: Tag
        /// Of the tag's first byte.
        public var offset: Int
        public var valueRange: Range<Int>
        public var notes: TLVNotes
    }

    /// Why reading of this level ended early.
    public struct Fault: Sendable, Hashable {
        public var code: TLVProblem.Code
        /// The place to report: see `TLVProblem.offset`.
        public var offset: Int
        /// Nil when the fault is in the tag itself.
        public var tag: Tag?
        /// Where the faulty object begins.
        public var tagOffset: Int
        /// The first byte after the part of the header that was read.
        public var headerEnd: Int
        /// The length that the object claims, capped at `UInt64.max`.
        public var claimedLength: UInt64
    }

    public enum Step: Sendable, Hashable {
        case object(Item)
        /// Filler that `TLVPadding.strict` does not allow.
        case padding(Range<Int>)
        case fault(Fault)
    }

    /// The next byte to read: between objects, the first byte of the next one or of filler.
    public private(set) var offset: Int
    public let end: Int
    public let padding: TLVPadding
    private let isTemplate: Bool
    private let sizeLimit: Int
    private var isFinished = false

    /// - Parameter isTemplate: the range is the whole value of a template, so that an object passing its end is
    ///   `childOverrun`; otherwise the input is cut short.
    public init(range: Range<Int>, padding: TLVPadding = .zero, isTemplate: Bool = false, sizeLimit: Int = 16 << 20) {
        offset = range.lowerBound
        end = range.upperBound
        self.padding = padding
        self.isTemplate = isTemplate
        self.sizeLimit = sizeLimit
    }

    /// Goes on at another place after a fault.
    public mutating func resume(at offset: Int) {
        self.offset = max(self.offset, min(offset, end))
        isFinished = false
    }

    /// Skips the filler that the padding mode allows.
    @inline(__always)
    public mutating func skipPadding(in bytes: Span<UInt8>) {
        while offset < end, offset < bytes.count {
            let byte = bytes[offset]
            if byte == 0x00 {
                guard padding != .strict else { return }
                offset += 1
            } else if byte == 0xFF, padding == .any {
                let run = runLength(of: 0xFF, at: offset, in: bytes)
                guard run > 1 || !isTemplateAhead(in: bytes) else { return }
                offset += run
            } else {
                return
            }
        }
    }

    /// The next object or fault; nil at the end of the range, and after a fault.
    public mutating func next(in bytes: Span<UInt8>) -> Step? {
        guard !isFinished else { return nil }
        skipPadding(in: bytes)
        let limit = min(end, bytes.count)
        guard offset < limit else { return nil }
        if bytes[offset] == 0x00 {
            let run = runLength(of: 0x00, at: offset, in: bytes)
            defer { offset += run }
            return .padding(offset..<offset + run)
        }

        let start = offset
        var cursor = start
        var notes = TLVNotes()
        var number = UInt64(bytes[cursor])
        cursor += 1
        if number & 0x1F == 0x1F {
            if cursor < limit, bytes[cursor] == 0x80 { notes.insert(.nonMinimalTag) }
            while true {
                guard cursor < limit else {
                    return fail(.tagTruncated, at: cursor, tag: nil, headerEnd: cursor)
                }
                guard cursor - start < 8 else {
                    return fail(.tagTooLong, at: start, tag: nil, headerEnd: cursor)
                }
                let byte = bytes[cursor]
                number = number << 8 | UInt64(byte)
                cursor += 1
                if byte & 0x80 == 0 { break }
            }
        }
        let tag = Tag(number)

        let lengthOffset = cursor
        guard cursor < limit else { return fail(.lengthMissing, at: cursor, tag: tag, headerEnd: cursor) }
        let first = bytes[cursor]
        cursor += 1
        var length = UInt64(first)
        if first >= 0x80 {
            guard first != 0x80 else {
                return fail(.indefiniteLength, at: lengthOffset, tag: tag, headerEnd: cursor)
            }
            guard first <= 0x88 else {
                return fail(
                    .lengthInvalid, at: lengthOffset, tag: tag, headerEnd: cursor, claimedLength: UInt64(first))
            }
            let byteCount = Int(first & 0x0F)
            guard byteCount <= limit - cursor else {
                return fail(.lengthTruncated, at: limit, tag: tag, headerEnd: limit)
            }
            length = 0
            for position in cursor..<cursor + byteCount { length = length << 8 | UInt64(bytes[position]) }
            if length < 0x80 || bytes[cursor] == 0 { notes.insert(.nonMinimalLength) }
            cursor += byteCount
        }
        guard length <= UInt64(limit - cursor) else {
            if isTemplate {
                return fail(.childOverrun, at: start, tag: tag, headerEnd: cursor, claimedLength: length)
            }
            if length > UInt64(sizeLimit) {
                return fail(.lengthOverrun, at: lengthOffset, tag: tag, headerEnd: cursor, claimedLength: length)
            }
            return fail(.valueTruncated, at: limit, tag: tag, headerEnd: cursor, claimedLength: length)
        }
        offset = cursor + Int(length)
        return .object(Item(tag: tag, offset: start, valueRange: cursor..<offset, notes: notes))
    }

    private mutating func fail(
        _ code: TLVProblem.Code, at place: Int, tag: Tag?, headerEnd: Int, claimedLength: UInt64 = 0
    ) -> Step {
        isFinished = true
        return .fault(
            Fault(
                code: code, offset: place, tag: tag, tagOffset: offset, headerEnd: headerEnd,
                claimedLength: claimedLength))
    }

    private func runLength(of byte: UInt8, at start: Int, in bytes: Span<UInt8>) -> Int {
        var position = start
        while position < end, position < bytes.count, bytes[position] == byte { position += 1 }
        return position - start
    }

    /// Whether the single FF here begins a tag of at most three bytes whose value fits and reads as TLV. Looks at 256
    /// objects at most, so that reading stays linear.
    private func isTemplateAhead(in bytes: Span<UInt8>) -> Bool {
        var here = TLVReader(range: offset..<end, padding: .zero, sizeLimit: sizeLimit)
        guard case .object(let item) = here.next(in: bytes), item.tag.byteCount <= 3 else { return false }
        var inside = TLVReader(range: item.valueRange, padding: .zero, isTemplate: true, sizeLimit: sizeLimit)
        for _ in 0..<256 {
            let run = runLength(of: 0xFF, at: inside.offset, in: bytes)
            if run > 1 { inside.resume(at: inside.offset + run) }
            guard let step = inside.next(in: bytes) else { return true }
            guard case .object = step else { return false }
        }
        return true
    }
}
