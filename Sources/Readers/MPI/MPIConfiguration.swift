import BERTLV

/// The answer to D0 01: an ED for each file, with its name in DF0D and its version in DF7F.
enum MPIConfiguration {
    static func files(_ data: [UInt8]) -> [String: String] {
        let tree = TLVTree(parsing: data)
        func text(_ node: TLVNode, _ tag: Tag) -> String? {
            guard let found = node.children.first(where: { $0.tag == tag }) else { return nil }
            return printableLabel(tree.value(of: found))
        }
        var files: [String: String] = [:]
        var pending = tree.nodes
        while let node = pending.popLast() {
            if node.tag == 0xED, let name = text(node, 0xDF0D) {
                files[name] = text(node, 0xDF7F) ?? ""
            } else {
                pending += node.children
            }
        }
        return files
    }
}
