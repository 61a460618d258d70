extension CardApplication {
    init(_ file: CardFile.Application, file name: String) throws(CardProfileError) {
        func value(_ text: String?, _ what: String) throws(CardProfileError) -> [UInt8] {
            guard let text, let result = bytes(fromHexadecimal: text) else {
                throw CardProfileError(name, "\(what) is missing or not hexadecimal")
            }
            return result
        }
        identifier = try value(file.aid, "aid")
        guard (5...16).contains(identifier.count) else { throw CardProfileError(name, "aid must have 5 to 16 bytes") }
        interchangeProfile = try value(file.aip, "aip")
        guard interchangeProfile.count == 2 else { throw CardProfileError(name, "aip must have two bytes") }
        let optionsList = try value(file.pdol ?? "", "pdol")
        guard let entries = CardData.list(optionsList) else { throw CardProfileError(name, "pdol is cut off") }
        processingOptionsList = entries

        let names = try Self.names(file, file: name)
        directoryEntry = CardData.object([0x4F], identifier) + names
        proprietaryTemplate =
            names + (optionsList.isEmpty ? [] : CardData.object([0x9F, 0x38], optionsList))
            + (file.language.map { CardData.object([0x5F, 0x2D], Array($0.utf8)) } ?? [])

        var objects: [String: [UInt8]] = [:]
        var values: [RecordAddress: [UInt8]] = [:]
        let recordFiles = file.records ?? []
        for record in recordFiles {
            guard (1...30).contains(record.sfi), record.record > 0 else {
                throw CardProfileError(name, "a record needs an SFI from 1 to 30 and a number from 1")
            }
            var content: [UInt8] = []
            for text in record.objects {
                if text.hasPrefix("raw "), let filler = bytes(fromHexadecimal: text.dropFirst(4)) {
                    content += filler
                    continue
                }
                guard let (tag, value) = Self.object(text) else {
                    throw CardProfileError(name, "an object is a tag and a value: \(text.prefix { $0 != " " })")
                }
                objects[hexadecimal(tag)] = value
                content += CardData.object(tag, value)
            }
            values[RecordAddress(file: record.sfi, record: record.record)] = content
        }
        records = values
        fileLocator =
            try file.afl.map { text throws(CardProfileError) in try value(text, "afl") }
            ?? Self.locator(recordFiles)
        firstList = objects["8C"].flatMap(CardData.list)
        secondList = objects["8D"].flatMap(CardData.list)
        optionsFormat = file.gpoFormat ?? 1
        cryptogramFormat = file.acFormat ?? 1
        pin = file.pin ?? "1234"
        signingKey = try file.signingKey.map { key throws(CardProfileError) in try CardRSAKey(key, file: name) }
        let ownKey = try file.pinKey.map { key throws(CardProfileError) in try CardRSAKey(key, file: name) }
        pinKey = ownKey ?? signingKey
        cryptography = try CardCryptography(
            kind: file.cryptogram ?? "", authority: file.authority ?? "",
            account: objects["5A"] ?? objects["57"] ?? [], sequenceNumber: objects["5F34"]?.first, file: name)
    }

    private static func names(_ file: CardFile.Application, file name: String) throws(CardProfileError) -> [UInt8] {
        var result: [UInt8] = []
        if let label = file.label { result += CardData.object([0x50], Array(label.utf8)) }
        if let priority = file.priority { result += CardData.object([0x87], [priority]) }
        if let preferred = file.preferredName {
            guard let text = bytes(fromHexadecimal: preferred), text.count <= 16 else {
                throw CardProfileError(name, "preferredName is up to 16 bytes in hexadecimal")
            }
            result += CardData.object([0x9F, 0x12], text)
        }
        if let table = file.codeTable { result += CardData.object([0x9F, 0x11], [table]) }
        return result
    }

    private static func object(_ text: String) -> (tag: [UInt8], value: [UInt8])? {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let tag = bytes(fromHexadecimal: parts[0]), !tag.isEmpty else { return nil }
        if parts[1].hasPrefix("'"), parts[1].hasSuffix("'"), parts[1].count >= 2 {
            return (tag, Array(parts[1].dropFirst().dropLast().utf8))
        }
        guard let value = bytes(fromHexadecimal: parts[1]) else { return nil }
        return (tag, value)
    }

    /// One entry for each run of records, none of them signed.
    private static func locator(_ records: [CardFile.Record]) -> [UInt8] {
        var result: [UInt8] = []
        for record in records {
            let file = record.sfi << 3
            if result.count >= 4, result[result.count - 4] == file, result[result.count - 2] &+ 1 == record.record {
                result[result.count - 2] = record.record
            } else {
                result += [file, record.record, record.record, 0]
            }
        }
        return result
    }
}
