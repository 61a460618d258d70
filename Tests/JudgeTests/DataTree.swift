import BERTLV
import SeededInput

/// A text, or a list. The judges speak of data objects as lists of [tag, value]; the value is hex digits, or such a list.
enum DataTree: Codable, Hashable {
    case text(String)
    case list([DataTree])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try container.decode([DataTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .list(let items): try container.encode(items)
        }
    }

    static func object(_ tag: BERTLV.Tag, _ value: DataTree) -> DataTree { .list([.text("\(tag)"), value]) }

    /// What our decoder read.
    init(_ tree: TLVTree) {
        self = .list(tree.nodes.map { Self.object($0, of: tree) })
    }

    private static func object(_ node: TLVNode, of tree: TLVTree) -> DataTree {
        node.tag.isConstructed
            ? .object(node.tag, .list(node.children.map { object($0, of: tree) }))
            : .object(node.tag, .text(hex(tree.value(of: node))))
    }
}

/// Random well-formed objects, written by our encoder.
struct RandomObjects {
    private(set) var encoder = TLVEncoder()
    private(set) var tree: [DataTree] = []

    /// - Parameter isDistinct: no tag stands twice side by side.
    init(_ numbers: inout SeededNumbers, isDistinct: Bool, depth: Int = 0) {
        var used: Set<BERTLV.Tag> = []
        for _ in 0..<Int.random(in: depth == 0 ? 1...6 : 0...4, using: &numbers) {
            let tag = Self.tag(&numbers, allowsTemplate: depth < 6)
            guard used.insert(tag).inserted || !isDistinct else { continue }
            if tag.isConstructed {
                let inner = RandomObjects(&numbers, isDistinct: isDistinct, depth: depth + 1)
                encoder.append(tag, inner.encoder.bytes)
                tree.append(.object(tag, .list(inner.tree)))
            } else {
                let value = numbers.octets(Self.length(&numbers))
                encoder.append(tag, value)
                tree.append(.object(tag, .text(hex(value))))
            }
        }
    }

    /// One to four bytes of any class.
    private static func tag(_ numbers: inout SeededNumbers, allowsTemplate: Bool) -> BERTLV.Tag {
        let isTemplate = allowsTemplate && Int.random(in: 0..<4, using: &numbers) == 0
        let leading = UInt64.random(in: 0...3, using: &numbers) << 6 | (isTemplate ? 0x20 : 0)
        if Bool.random(using: &numbers) {
            return BERTLV.Tag(leading | UInt64.random(in: 1...30, using: &numbers))
        }
        var number = leading | 0x1F
        for _ in 0..<Int.random(in: 0...2, using: &numbers) {
            number = number << 8 | UInt64.random(in: 0x81...0xFF, using: &numbers)
        }
        return BERTLV.Tag(number << 8 | UInt64.random(in: 1...0x7F, using: &numbers))
    }

    /// Mostly short; often at the edges of the length's forms.
    private static func length(_ numbers: inout SeededNumbers) -> Int {
        switch Int.random(in: 0..<20_000, using: &numbers) {
        case 0..<2: 65_535
        case 2..<4: 65_536
        case 4..<400: [127, 128, 129, 255, 256, 257][Int.random(in: 0..<6, using: &numbers)]
        default: Int.random(in: 0...24, using: &numbers)
        }
    }
}
