import BERTLV

/// The answer to SELECT (Book 1, 11.3.4): 6F holding 84 and A5.
struct FileControlInformation: Sendable, Hashable {
    let dedicatedFileName: [UInt8]
    /// Objects of A5 and, below it, of BF0C; the first of each tag.
    let proprietary: [Tag: [UInt8]]

    /// Nil when the template or one of its mandatory parts is missing or malformed.
    init?(parsing data: [UInt8]) {
        let tree = TLVTree(parsing: data)
        guard tree.isClean, tree.nodes.count == 1, let template = tree.nodes.first,
            template.tag == .fileControlInformation,
            let name = template.children.first(where: { $0.tag == .dedicatedFileName }),
            let information = template.children.first(where: { $0.tag == .fciProprietaryTemplate }),
            (5...16).contains(name.valueRange.count)
        else { return nil }
        dedicatedFileName = tree.value(of: name)
        proprietary = Dictionary(
            information.children.filter { !$0.tag.isConstructed }.map { ($0.tag, tree.value(of: $0)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The candidate that this FCI describes.
    func candidate(for entry: TerminalApplication) -> Candidate {
        Candidate(aid: dedicatedFileName, objects: proprietary, terminalEntry: entry)
    }
}

extension Candidate {
    /// From the objects of an FCI's A5 or of a directory entry's 61.
    init(aid: [UInt8], objects: [Tag: [UInt8]], terminalEntry: TerminalApplication) {
        let indicator = objects[.applicationPriorityIndicator]?.first ?? 0
        self.init(
            aid: aid, label: objects[.applicationLabel] ?? [], preferredName: objects[.applicationPreferredName] ?? [],
            codeTableIndex: objects[.issuerCodeTableIndex]?.first, priority: indicator & 0x0F,
            needsConfirmation: indicator & 0x80 != 0, terminalEntry: terminalEntry)
    }
}
