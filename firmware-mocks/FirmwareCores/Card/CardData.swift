/// Building and taking apart card data the way the chip does it (EMV Book 3, Annex B and 5.4). Tags are hexadecimal
/// text, as in the profile files.
enum CardData {
    /// One object with the shortest length form.
    static func object(_ tag: [UInt8], _ value: [UInt8]) -> [UInt8] {
        switch value.count {
        case 0..<0x80: tag + [UInt8(value.count)] + value
        case 0x80..<0x100: tag + [0x81, UInt8(value.count)] + value
        default: tag + [0x82, UInt8(truncatingIfNeeded: value.count >> 8), UInt8(value.count & 0xFF)] + value
        }
    }

    struct ListEntry: Sendable, Hashable {
        var tag: String
        var length: Int
    }

    /// A data object list: tags with one length byte each. Nil when it is cut off.
    static func list(_ bytes: [UInt8]) -> [ListEntry]? {
        var entries: [ListEntry] = []
        var index = 0
        while index < bytes.count {
            let start = index
            var more = bytes[index] & 0x1F == 0x1F
            index += 1
            while more, index < bytes.count {
                more = bytes[index] & 0x80 != 0
                index += 1
            }
            guard !more, index < bytes.count else { return nil }
            entries.append(ListEntry(tag: hexadecimal(bytes[start..<index]), length: Int(bytes[index])))
            index += 1
        }
        return entries
    }

    /// Cuts data sent against a list into its objects; nil when the total length differs. A tag that occurs twice keeps
    /// its first value.
    static func split(_ data: [UInt8], by entries: [ListEntry]) -> [String: [UInt8]]? {
        guard entries.reduce(0, { $0 + $1.length }) == data.count else { return nil }
        var values: [String: [UInt8]] = [:]
        var index = 0
        for entry in entries {
            if values[entry.tag] == nil { values[entry.tag] = Array(data[index..<index + entry.length]) }
            index += entry.length
        }
        return values
    }
}
