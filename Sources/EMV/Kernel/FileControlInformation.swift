import BERTLV

/// The answer to SELECT (Book 1, 11.3.4): 6F holding 84 and A5.
struct FileControlInformation: Sendable {
    let dedicatedFileName: [UInt8]
    /// The objects of A5.
    let proprietary: TLVChildren

    /// Nil when the template or one of its mandatory parts is missing or malformed.
    init?(parsing data: [UInt8]) {
        guard let template = SoleObject(parsing: data), template.tag == .fileControlInformation else { return nil }
        let children = template.children
        guard let name = children.first(where: { $0.tag == .dedicatedFileName }),
            (5...16).contains(name.valueRange.count),
            let information = children.first(where: { $0.tag == .fciProprietaryTemplate })
        else { return nil }
        dedicatedFileName = children.value(of: name)
        proprietary = children.children(of: information)
    }

    /// The candidate that this FCI describes.
    func candidate(for entry: TerminalApplication) -> Candidate {
        Candidate(aid: dedicatedFileName, objects: proprietary, terminalEntry: entry)
    }
}

extension Candidate {
    /// From the objects of an FCI's A5 or of a directory entry's 61.
    init(aid: [UInt8], objects: TLVChildren, terminalEntry: TerminalApplication) {
        let indicator = objects[.applicationPriorityIndicator]?.first ?? 0
        self.init(
            aid: aid, label: objects[.applicationLabel] ?? [], preferredName: objects[.applicationPreferredName] ?? [],
            codeTableIndex: objects[.issuerCodeTableIndex]?.first, priority: indicator & 0x0F,
            needsConfirmation: indicator & 0x80 != 0, terminalEntry: terminalEntry)
    }
}
