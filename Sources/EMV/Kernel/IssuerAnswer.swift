import BERTLV

/// What the issuer sent for the card (Book 3, 10.9): read leniently, since hosts nest and order it as they like.
struct IssuerAnswer: Sendable, Hashable {
    /// Tag 91, 8 ... 16 bytes; nil when absent or of another length.
    let authenticationData: [UInt8]?
    /// 71 and 72 in the order of the message, wherever they stand in it.
    let scripts: [IssuerScript]
    /// Bytes of scripts in all that are carried out; a terminal has to take 128 (Book 3, 10.10). The script that goes
    /// beyond and all after it are not performed, which their results in tag 9F5B and the TVR tell the host.
    static let maximumScriptLength = 4096

    init(parsing data: [UInt8]) {
        let tree = TLVTree(parsing: data)
        var scripts: [IssuerScript] = []
        var length = 0
        var pending = Array(tree.nodes.reversed())
        while let node = pending.popLast() {
            if let script = IssuerScript(node, in: tree) {
                length += node.valueRange.count
                scripts.append(length <= Self.maximumScriptLength ? script : script.withoutCommands)
            } else {
                pending += node.children.reversed()
            }
        }
        self.scripts = scripts
        authenticationData = tree.first(.issuerAuthenticationData).flatMap { (8...16).contains($0.count) ? $0 : nil }
    }
}
