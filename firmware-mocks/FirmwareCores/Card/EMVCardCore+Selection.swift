extension EMVCardCore {
    private static let directoryName: [UInt8] = Array("1PAY.SYS.DDF01".utf8)

    /// SELECT by name (EMV Book 1, 11.3).
    func select(_ command: CardCommand) -> CardReply {
        guard command.p1 == 0x04, command.p2 == 0x00 || command.p2 == 0x02 else { return .wrongParameters }
        guard (5...16).contains(command.data.count), command.expected != nil else { return .wrongLength }
        if profile.behaviour.isBlocked { return CardReply(status: 0x6A81) }
        let name = command.data
        if name == Self.directoryName, profile.hasDirectory, command.p2 == 0 {
            forgetSelection()
            stage = .directory
            let template = CardData.object([0x88], [1]) + CardData.object([0x5F, 0x2D], Array("esen".utf8))
            return CardReply(
                fileControlInformation(name, template),
                status: profile.behaviour.hasBlockedDirectory ? 0x6283 : 0x9000)
        }
        let start = command.p2 == 0x02 && name == lastName ? lastMatch + 1 : 0
        let match = profile.applications.indices.first { index in
            index >= start && profile.applications[index].identifier.starts(with: name)
        }
        guard let match, command.p2 == 0x00 || name == lastName else { return .fileNotFound }
        forgetSelection()
        lastName = name
        lastMatch = match
        let found = profile.applications[match]
        application = found
        stage = .selected
        return CardReply(
            fileControlInformation(found.identifier, found.proprietaryTemplate),
            status: profile.behaviour.hasBlockedApplication ? 0x6283 : 0x9000)
    }

    /// READ RECORD by number (EMV Book 1, 11.2).
    func readRecord(_ command: CardCommand) -> CardReply {
        guard command.p2 & 0x07 == 0x04, command.p1 > 0 else { return .wrongParameters }
        guard command.data.isEmpty, command.expected != nil else { return .wrongLength }
        let file = command.p2 >> 3
        if stage == .directory {
            guard file == 1 else { return .fileNotFound }
            let index = Int(command.p1) - 1
            guard profile.applications.indices.contains(index) else { return .recordNotFound }
            let entry = CardData.object([0x61], profile.applications[index].directoryEntry)
            return CardReply(CardData.object([0x70], entry))
        }
        guard let application else { return .conditionsNotSatisfied }
        let address = CardApplication.RecordAddress(file: file, record: command.p1)
        guard let record = application.records[address] else { return .recordNotFound }
        return CardReply(CardData.object([0x70], record))
    }

    private func fileControlInformation(_ name: [UInt8], _ template: [UInt8]) -> [UInt8] {
        CardData.object([0x6F], CardData.object([0x84], name) + CardData.object([0xA5], template))
    }

    private func forgetSelection() {
        application = nil
        lastName = []
        lastMatch = -1
        stage = .nothing
        endTransaction()
    }
}
