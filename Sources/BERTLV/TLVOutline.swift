/// The data objects of a stretch of input in one flat list, parents before children, and what is wrong with them. The
/// list is used again for the next stretch, so that reading a stream needs no memory beyond its largest object.
public struct TLVOutline: Sendable {
    /// One object. Places count from the first byte lent.
    public struct Entry: Sendable, Hashable {
        public var tag: Tag
        /// Of the tag's first byte.
        public var offset: Int
        public var valueRange: Range<Int>
        /// 0 at the top, less than `TLVOptions.depthLimit`.
        public var depth: Int
        /// The index in the list behind this object's last descendant.
        public var end: Int
        /// Where a constructed object's value stops being TLV; the value's end when it is TLV to its end.
        public var rawStart: Int
        public var notes: TLVNotes

        /// A constructed object whose value is not, or not to its end, TLV.
        public var isRaw: Bool { rawStart < valueRange.upperBound }
    }

    /// What came of one step.
    public enum Outcome: Sendable, Hashable {
        /// An object was added to the list. The next one begins here.
        case object(next: Int)
        /// Filler was passed.
        case filler(next: Int)
        /// An object that claims more than the limit: its beginning was added if it is a template. This many bytes
        /// behind `next` belong to it too.
        case oversized(next: Int, skip: UInt64)
        /// The bytes lent end too early: lend them up to here, or to the end of the input.
        case needsMore(upTo: Int)
        /// The last two bytes are a status word.
        case statusWord(UInt16)
        /// What follows cannot be read.
        case undecodable(from: Int)
        case end
    }

    public private(set) var entries: [Entry] = []
    /// Problems beyond the first thousand of a stretch are counted only.
    public private(set) var problems: [TLVProblem] = []
    public private(set) var uncountedProblems = 0
    /// Added to the offsets of problems: where the bytes lent stand in the input.
    public var base = 0
    private let options: TLVOptions
    private var path: [Tag] = []
    private var hasObject = false

    private static let problemLimit = 1000
    /// Header of an object, and room for a run of FF to be seen as one.
    private static let lookahead = 64

    public init(options: TLVOptions) {
        self.options = options
    }

    /// Empties the list for the next stretch.
    public mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        if !problems.isEmpty { problems.removeAll(keepingCapacity: true) }
        uncountedProblems = 0
    }

    /// Where the list stands, for `rewind`.
    public struct Mark: Sendable {
        fileprivate var entries: Int
        fileprivate var problems: Int
        fileprivate var uncountedProblems: Int
    }

    public var mark: Mark {
        Mark(entries: entries.count, problems: problems.count, uncountedProblems: uncountedProblems)
    }

    /// Takes back what was added since: the object is to be read again, as the first of the next stretch.
    public mutating func rewind(to mark: Mark) {
        entries.removeLast(entries.count - mark.entries)
        problems.removeLast(problems.count - mark.problems)
        uncountedProblems = mark.uncountedProblems
    }

    /// Reads one object of the top level.
    /// - Parameter isAtEnd: the bytes lent reach to the end of the input.
    public mutating func next(in bytes: Span<UInt8>, from start: Int, isAtEnd: Bool) -> Outcome {
        var reader = TLVReader(
            range: start..<bytes.count, padding: options.padding, sizeLimit: options.sizeLimit)
        if !isAtEnd {
            guard bytes.count - start >= Self.lookahead else { return .needsMore(upTo: start + Self.lookahead) }
            reader.skipPadding(in: bytes)
            if bytes.count - reader.offset < Self.lookahead {
                // Two FF of a run are kept, so that it is still seen as one when it goes on.
                let isRun = options.padding == .any && reader.offset == bytes.count && bytes[reader.offset - 1] == 0xFF
                let next = reader.offset - (isRun ? 2 : 0)
                return next > start ? .filler(next: next) : .needsMore(upTo: start + Self.lookahead)
            }
        } else if options.splitsStatusWord, hasObject {
            reader.skipPadding(in: bytes)
            if reader.offset == bytes.count - 2, isStatusWord(at: reader.offset, in: bytes) {
                return .statusWord(UInt16(bytes[reader.offset]) << 8 | UInt16(bytes[reader.offset + 1]))
            }
        }
        switch reader.next(in: bytes) {
        case nil:
            return .end
        case .padding(let run):
            report(.strictPadding, at: run.lowerBound, tag: nil, "\(run.count) filler bytes 00 between objects")
            return .filler(next: run.upperBound)
        case .object(let item):
            append(item, isTemplate: true, in: bytes)
            hasObject = true
            return .object(next: item.valueRange.upperBound)
        case .fault(let fault):
            return outcome(of: fault, in: bytes, isAtEnd: isAtEnd)
        }
    }

    private mutating func outcome(of fault: TLVReader.Fault, in bytes: Span<UInt8>, isAtEnd: Bool) -> Outcome {
        let end = min(bytes.count, fault.headerEnd + options.sizeLimit)
        if !isAtEnd, let needed = needed(for: fault), bytes.count < needed { return .needsMore(upTo: needed) }
        report(fault)
        let isOversized = fault.code == .lengthOverrun
        guard let item = recover(fault, end: end, isAtEnd: isAtEnd, in: bytes) else {
            guard isOversized, !isAtEnd else { return .undecodable(from: fault.tagOffset) }
            return .oversized(next: fault.headerEnd, skip: fault.claimedLength)
        }
        append(item, isTemplate: !item.notes.contains(.truncatedValue), in: bytes)
        hasObject = true
        let next = item.valueRange.upperBound
        return isOversized
            ? .oversized(next: next, skip: fault.claimedLength - UInt64(item.valueRange.count)) : .object(next: next)
    }

    /// Up to where the bytes must be lent before the fault is one.
    private func needed(for fault: TLVReader.Fault) -> Int? {
        switch fault.code {
        case .valueTruncated, .lengthInvalid: fault.headerEnd + Int(clamping: fault.claimedLength) + 3
        case .lengthOverrun: fault.tag?.isConstructed == true ? fault.headerEnd + options.sizeLimit : nil
        default: nil
        }
    }

    /// Adds an object and, if it is a template, the objects inside.
    private mutating func append(_ item: TLVReader.Item, isTemplate: Bool, in bytes: Span<UInt8>) {
        let index = entries.count
        let range = item.valueRange
        entries.append(
            Entry(
                tag: item.tag, offset: item.offset, valueRange: range, depth: path.count, end: index + 1,
                rawStart: range.upperBound, notes: item.notes))
        if !item.notes.isEmpty { reportNotes(item) }
        guard item.tag.isConstructed, !range.isEmpty else { return }
        guard path.count + 1 < options.depthLimit else {
            let limit = options.depthLimit
            report(
                .tooDeep, at: item.offset, tag: item.tag,
                "more than \(limit) levels of templates: the rest is kept as bytes")
            entries[index].rawStart = range.lowerBound
            return
        }
        path.append(item.tag)
        let rest = level(range, isTemplate: isTemplate, in: bytes)
        path.removeLast()
        entries[index].rawStart = rest
        entries[index].end = entries.count
    }

    /// Adds the objects of a template. Gives the place from which they cannot be read, or the range's end.
    private mutating func level(_ range: Range<Int>, isTemplate: Bool, in bytes: Span<UInt8>) -> Int {
        var reader = TLVReader(
            range: range, padding: options.padding, isTemplate: isTemplate, sizeLimit: options.sizeLimit)
        while let step = reader.next(in: bytes) {
            switch step {
            case .object(let item):
                append(item, isTemplate: true, in: bytes)
            case .padding(let run):
                report(.strictPadding, at: run.lowerBound, tag: nil, "\(run.count) filler bytes 00 between objects")
            case .fault(let fault):
                report(fault)
                guard let item = recover(fault, end: range.upperBound, isAtEnd: true, in: bytes) else {
                    return fault.tagOffset
                }
                append(item, isTemplate: !item.notes.contains(.truncatedValue), in: bytes)
                reader.resume(at: item.valueRange.upperBound)
            }
        }
        return range.upperBound
    }

    private func isStatusWord(at offset: Int, in bytes: Span<UInt8>) -> Bool {
        switch bytes[offset] {
        case 0x90, 0x67: bytes[offset + 1] == 0x00
        case 0x61, 0x62, 0x63, 0x69, 0x6A, 0x6C: true
        default: false
        }
    }

    /// What can be made of a faulty object: a cut template's beginning, or a length byte read as a plain number when
    /// the data then fits exactly.
    private func recover(
        _ fault: TLVReader.Fault, end: Int, isAtEnd: Bool, in bytes: Span<UInt8>
    ) -> TLVReader.Item? {
        guard let tag = fault.tag else { return nil }
        if fault.code == .valueTruncated || fault.code == .lengthOverrun, tag.isConstructed, fault.headerEnd < end {
            return TLVReader.Item(
                tag: tag, offset: fault.tagOffset, valueRange: fault.headerEnd..<end, notes: .truncatedValue)
        }
        guard isAtEnd, let valueEnd = guessedEnd(fault, end: end, in: bytes) else { return nil }
        return TLVReader.Item(
            tag: tag, offset: fault.tagOffset, valueRange: fault.headerEnd..<valueEnd, notes: .guessedLength)
    }

    private func guessedEnd(_ fault: TLVReader.Fault, end: Int, in bytes: Span<UInt8>) -> Int? {
        guard fault.code == .lengthInvalid else { return nil }
        let left = UInt64(end - fault.headerEnd)
        if fault.claimedLength == left { return end }
        let hasStatusWord =
            options.splitsStatusWord && path.isEmpty && left >= 2 && isStatusWord(at: end - 2, in: bytes)
        return hasStatusWord && fault.claimedLength == left - 2 ? end - 2 : nil
    }

    private mutating func reportNotes(_ item: TLVReader.Item) {
        if item.notes.contains(.nonMinimalTag) {
            report(.nonMinimalTag, at: item.offset, tag: item.tag, "the tag's number begins with a zero")
        }
        if item.notes.contains(.nonMinimalLength) {
            report(
                .nonMinimalLength, at: item.offset + item.tag.byteCount, tag: item.tag,
                "length \(item.valueRange.count) is not in its shortest form")
        }
    }

    private mutating func report(_ fault: TLVReader.Fault) {
        report(fault.code, at: fault.offset, tag: fault.tag, fault.sentence)
    }

    private mutating func report(
        _ code: TLVProblem.Code, at offset: Int, tag: Tag?, _ message: @autoclosure () -> String
    ) {
        guard problems.count < Self.problemLimit else {
            uncountedProblems += 1
            return
        }
        problems.append(
            TLVProblem(offset: base + offset, path: path + (tag.map { [$0] } ?? []), code: code, message: message()))
    }
}

extension TLVReader.Fault {
    /// For people. Holds no value bytes.
    var sentence: String {
        let name = tag.map(String.init(describing:)) ?? "tag"
        return switch code {
        case .tagTooLong: "a tag of more than 8 bytes"
        case .tagTruncated: "the data ends inside a tag"
        case .lengthMissing: "the data ends after tag \(name), before its length"
        case .lengthTruncated: "the data ends inside the length of \(name)"
        case .indefiniteLength: "\(name) has an indefinite length (80), which EMV does not allow"
        case .lengthInvalid: "\(name) has the invalid length byte \(String(claimedLength, radix: 16, uppercase: true))"
        case .lengthOverrun: "\(name) claims \(claimedLength) bytes, more than any input may have"
        case .childOverrun: "\(name) claims \(claimedLength) bytes and passes the end of its template"
        default: "\(name) claims \(claimedLength) bytes, \(offset - headerEnd) are there"
        }
    }
}
