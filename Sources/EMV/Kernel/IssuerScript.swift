import BERTLV

/// One issuer script (Book 3, 10.10): template 71 or 72 with an optional identifier and its commands.
struct IssuerScript: Sendable, Hashable {
    /// When it is carried out.
    enum Phase: Sendable, Hashable {
        /// Template 71.
        case beforeFinalCryptogram
        /// Template 72.
        case afterFinalCryptogram
    }

    let phase: Phase
    /// Tag 9F18; zeros when the script has none.
    let identifier: [UInt8]
    /// Each tag 86 in order, a whole C-APDU of 4 to 261 bytes; nil when the script cannot be read, has none, or is not to
    /// be carried out.
    private(set) var commands: [CommandAPDU]?

    /// The same script, not to be carried out: its result says "not performed".
    var withoutCommands: IssuerScript {
        var script = self
        script.commands = nil
        return script
    }

    /// From a node of the issuer's data; nil when it is no script.
    init?(_ node: TLVNode, in tree: TLVTree) {
        switch node.tag {
        case .issuerScriptTemplate1: phase = .beforeFinalCryptogram
        case .issuerScriptTemplate2: phase = .afterFinalCryptogram
        default: return nil
        }
        let found = node.children.first { $0.tag == .issuerScriptIdentifier }.map { tree.value(of: $0) } ?? []
        identifier = found.count == 4 ? found : [0, 0, 0, 0]
        var commands: [CommandAPDU] = []
        var isReadable = !node.isRaw && (found.isEmpty || found.count == 4)
        for child in node.children where child.tag == .issuerScriptCommand {
            if let command = CommandAPDU(parsing: tree.value(of: child)) {
                commands.append(command)
            } else {
                isReadable = false
            }
        }
        self.commands = isReadable && !commands.isEmpty ? commands : nil
    }
}
