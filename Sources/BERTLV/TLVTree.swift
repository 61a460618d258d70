/// BER-TLV data read as far as it can be: the objects, and what is wrong with them. Reading never fails and never traps.
public struct TLVTree: Sendable {
    public let bytes: [UInt8]
    public let nodes: [TLVNode]
    /// In the order in which they were met.
    public let problems: [TLVProblem]
    /// The status word that ended the input, when the options ask for it: 0x9000.
    public let trailingStatus: UInt16?
    /// The end of the input that could not be read.
    public let undecodedRange: Range<Int>?

    public init(parsing bytes: [UInt8], options: TLVOptions = TLVOptions()) {
        self.bytes = bytes
        var builder = TLVTreeBuilder(options: options)
        nodes = builder.build(bytes.span)
        problems = builder.problems
        trailingStatus = builder.trailingStatus
        undecodedRange = builder.undecodedRange
    }

    /// No problems other than notes.
    public var isClean: Bool { problems.allSatisfy(\.isNote) }

    /// The value of a node of this tree; empty for a node of another tree that does not fit.
    public func value(of node: TLVNode) -> [UInt8] {
        let range = node.valueRange.clamped(to: 0..<bytes.count)
        return Array(bytes[range])
    }

    /// The value of the first object with this tag, depth first.
    public func first(_ tag: Tag) -> [UInt8]? {
        firstNode(tag).map(value(of:))
    }

    /// The value of the first object with this tag that is accepted, depth first.
    public func first(_ tag: Tag, where accepts: ([UInt8]) -> Bool) -> [UInt8]? {
        var found: [UInt8]?
        visit(nodes) { node in
            if node.tag == tag {
                let value = value(of: node)
                if accepts(value) { found = value }
            }
            return found == nil
        }
        return found
    }

    /// The values of all objects with this tag, at any depth, in order.
    public func all(_ tag: Tag) -> [[UInt8]] {
        var found: [[UInt8]] = []
        visit(nodes) { node in
            if node.tag == tag { found.append(value(of: node)) }
            return true
        }
        return found
    }

    /// The first object with this tag, depth first.
    public func firstNode(_ tag: Tag) -> TLVNode? { Self.firstNode(tag, in: nodes) }

    private static func firstNode(_ tag: Tag, in nodes: [TLVNode]) -> TLVNode? {
        // By position: handing out each node would copy it, and large inputs have many.
        for position in nodes.indices {
            if nodes[position].tag == tag { return nodes[position] }
            if !nodes[position].children.isEmpty, let found = firstNode(tag, in: nodes[position].children) {
                return found
            }
        }
        return nil
    }

    /// The first object at this path of tags, the outermost first; nil for an empty path.
    public func firstNode(_ path: [Tag]) -> TLVNode? {
        Self.firstNode(path[...], in: nodes)
    }

    private static func firstNode(_ path: ArraySlice<Tag>, in nodes: [TLVNode]) -> TLVNode? {
        guard let tag = path.first else { return nil }
        for node in nodes where node.tag == tag {
            if path.count == 1 { return node }
            if let found = firstNode(path.dropFirst(), in: node.children) { return found }
        }
        return nil
    }

    /// Depth first; the recursion is as deep as the tree, which `TLVOptions.depthLimit` bounds.
    @discardableResult
    private func visit(_ nodes: [TLVNode], _ body: (TLVNode) -> Bool) -> Bool {
        for node in nodes {
            guard body(node), visit(node.children, body) else { return false }
        }
        return true
    }
}

/// Strict reading, for the kernel: what a terminal must refuse is an error here.
public enum TLV {
    /// Reads with zero padding allowed, as EMV says, and refuses anything else that is wrong.
    public static func parseStrict(_ bytes: [UInt8]) throws(TLVError) -> TLVTree {
        let tree = TLVTree(parsing: bytes, options: TLVOptions(padding: .zero))
        if let problem = tree.problems.first(where: { !$0.isNote }) { throw TLVError(problem) }
        return tree
    }
}
