import BERTLV

/// Reads TLV objects from an input of any length and hands each, decoded, to a writer.
enum ObjectStream {
    /// The largest object that is read; of a larger template the beginning is shown.
    static let objectLimit = 1 << 20
    /// Objects further apart than this are not seen together.
    private static let groupSize = 64 << 10

    /// - Parameter place: where a byte's text stands in a log, for the offsets of problems.
    /// - Returns: the status word that ended the input.
    @discardableResult
    static func run(
        _ input: inout DecodeInput, padding: TLVPadding, splitsStatusWord: Bool = true,
        _ decoder: inout ObjectDecoder, _ writer: inout some ObjectWriter, place: ((Int) -> Int)? = nil
    ) -> UInt16? {
        let firstProblem = decoder.problems.problems.count
        defer { if let place { decoder.problems.moveOffsets(from: firstProblem, place) } }
        let limit = input.isAtEnd ? max(objectLimit, input.count) : objectLimit
        var outline = TLVOutline(
            options: TLVOptions(padding: padding, sizeLimit: limit, splitsStatusWord: splitsStatusWord))
        var repeats = RepeatedTags()
        var position = 0
        var status: UInt16?
        input.advance(dropping: 0, needed: DecodeInput.windowSize)
        if input.isAtEnd {
            decoder.fallback = context(input.storage.span.extracting(0..<input.count), padding)
        }
        reading: while true {
            var group = Group(start: position)
            outline.base = input.base
            repeats.startGroup()
            group.read(
                &outline, input.storage.span.extracting(0..<input.count), isAtEnd: input.isAtEnd, &repeats)
            position = group.next
            if !outline.entries.isEmpty || !outline.problems.isEmpty {
                show(outline, input.storage.span.extracting(0..<input.count), &decoder, &writer)
                outline.removeAll()
            }
            switch group.ending {
            case .group: continue
            case .needsMore(let upTo):
                writer.flush(all: !input.isAtEnd)
                input.advance(dropping: position, needed: upTo - position)
                position = 0
            case .oversized(let skip):
                input.skip(to: position, and: skip)
                position = 0
            case .status(let word):
                status = word
                break reading
            case .end:
                break reading
            }
        }
        return status
    }

    /// Decodes and writes the objects of one group.
    private static func show(
        _ outline: TLVOutline, _ bytes: Span<UInt8>, _ decoder: inout ObjectDecoder, _ writer: inout some ObjectWriter
    ) {
        decoder.begin(outline, bytes)
        let entries = outline.entries
        for index in entries.indices {
            decoder.decode(index, entries, bytes)
            let entry = entries[index]
            writer.write(
                entry, index: index, base: outline.base, decoder.findings[index],
                bytes.extracting(entry.valueRange), decoder.meaning)
            writer.flush(all: false)
        }
        writer.endGroup()
        writer.flush(all: false)
        decoder.problems.endGroup()
    }

    /// What all objects of an input together tell, when all of it is there.
    private static func context(_ bytes: Span<UInt8>, _ padding: TLVPadding) -> DecodeContext {
        var context = DecodeContext()
        var outline = TLVOutline(options: TLVOptions(padding: padding, splitsStatusWord: true))
        var position = 0
        while position < bytes.count {
            switch outline.next(in: bytes, from: position, isAtEnd: true) {
            case .object(let next), .filler(let next), .oversized(let next, _): position = next
            default: position = bytes.count
            }
            for entry in outline.entries where !entry.tag.isConstructed {
                context.take(entry.tag, bytes.extracting(entry.valueRange))
            }
            outline.removeAll()
        }
        return context
    }

    /// A stretch of top-level objects that belong together: until a known tag comes again, as in records one after
    /// another.
    private struct Group {
        enum Ending {
            case group
            case needsMore(upTo: Int)
            case oversized(skip: UInt64)
            case status(UInt16)
            case end
        }

        private let start: Int
        private(set) var next: Int
        private(set) var ending = Ending.end

        init(start: Int) {
            self.start = start
            next = start
        }

        mutating func read(
            _ outline: inout TLVOutline, _ bytes: Span<UInt8>, isAtEnd: Bool, _ repeats: inout RepeatedTags
        ) {
            while true {
                let mark = outline.mark
                let index = outline.entries.count
                switch outline.next(in: bytes, from: next, isAtEnd: isAtEnd) {
                case .object(let place):
                    if repeats.isRepeated(outline.entries[index].tag), index > 0 {
                        outline.rewind(to: mark)
                        ending = .group
                        return
                    }
                    next = place
                    guard next - start < ObjectStream.groupSize else {
                        ending = .group
                        return
                    }
                case .filler(let place):
                    next = place
                case .oversized(let place, let skip):
                    next = place
                    ending = .oversized(skip: skip)
                    return
                case .needsMore(let upTo):
                    ending = .needsMore(upTo: upTo)
                    return
                case .statusWord(let word):
                    ending = .status(word)
                    return
                case .undecodable, .end:
                    return
                }
            }
        }
    }
}

/// Which known primitive tags the group under way has at its top.
private struct RepeatedTags {
    private var groups: [Int]
    private var group = 0

    init() {
        groups = Array(repeating: 0, count: ElementTable.shared.elements.count)
    }

    mutating func startGroup() { group += 1 }

    mutating func isRepeated(_ tag: Tag) -> Bool {
        let position = ElementTable.shared.position(of: tag)
        guard position >= 0, !tag.isConstructed else { return false }
        if groups[position] == group { return true }
        groups[position] = group
        return false
    }
}
