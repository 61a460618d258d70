/// Reads all levels of the input into nodes and problems.
struct TLVTreeBuilder {
    private let options: TLVOptions
    private(set) var problems: [TLVProblem] = []
    private(set) var trailingStatus: UInt16?
    private(set) var undecodedRange: Range<Int>?

    init(options: TLVOptions) {
        self.options = options
    }

    mutating func build(_ bytes: Span<UInt8>) -> [TLVNode] {
        guard bytes.count <= options.sizeLimit else {
            problems.append(
                TLVProblem(
                    offset: options.sizeLimit, path: [], code: .inputTooLarge,
                    message: "\(bytes.count) bytes are more than the \(options.sizeLimit) that are read"))
            undecodedRange = 0..<bytes.count
            return []
        }
        var outline = TLVOutline(options: options)
        var position = 0
        reading: while true {
            switch outline.next(in: bytes, from: position, isAtEnd: true) {
            case .object(let next), .filler(let next), .oversized(let next, _):
                position = next
            case .undecodable(let place):
                undecodedRange = place..<bytes.count
                break reading
            case .statusWord(let status):
                trailingStatus = status
                break reading
            case .needsMore, .end:
                break reading
            }
        }
        problems = outline.problems
        return Self.nodes(outline.entries, 0..<outline.entries.count)
    }

    /// The recursion is as deep as the tree, which `TLVOptions.depthLimit` bounds.
    private static func nodes(_ entries: [TLVOutline.Entry], _ range: Range<Int>) -> [TLVNode] {
        var nodes: [TLVNode] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let entry = entries[index]
            nodes.append(
                TLVNode(
                    tag: entry.tag, offset: entry.offset, valueRange: entry.valueRange,
                    children: Self.nodes(entries, index + 1..<entry.end),
                    rawRange: entry.isRaw ? entry.rawStart..<entry.valueRange.upperBound : nil, notes: entry.notes))
            index = entry.end
        }
        return nodes
    }
}
