import BERTLV

/// What the lists of the selected application ask for, so that commands built from them can be read.
struct CardSession {
    struct Field {
        var tag: Tag
        var value: [UInt8]
    }

    private var processingOptions: [UInt8]?
    private var firstAC: [UInt8]?
    private var secondAC: [UInt8]?
    private var dynamicData: [UInt8]?
    private var cryptograms = 0

    /// Takes the lists out of a response.
    mutating func take(_ response: [UInt8]) {
        let tree = TLVTree(parsing: response)
        if let list = tree.first(0x9F38) { processingOptions = list }
        if let list = tree.first(0x8C) { firstAC = list }
        if let list = tree.first(0x8D) { secondAC = list }
        if let list = tree.first(0x9F49) { dynamicData = list }
    }

    /// Another application begins.
    mutating func select() {
        self = CardSession()
    }

    /// The populated list of a command; nil when the command has none or its list was not seen.
    mutating func list(ins: UInt8, data: [UInt8]) -> (list: [UInt8], data: [UInt8])? {
        switch ins {
        case 0xA8:
            // Tag 83 around the data.
            let tree = TLVTree(parsing: data)
            return processingOptions.map { ($0, tree.first(0x83) ?? data) }
        case 0xAE:
            cryptograms += 1
            return (cryptograms == 1 ? firstAC : secondAC).map { ($0, data) }
        case 0x88:
            return (dynamicData ?? [0x9F, 0x37, 0x04], data)
        default:
            return nil
        }
    }

    /// The command is going to be sent again: it does not count.
    mutating func repeatCryptogram() { cryptograms = max(0, cryptograms - 1) }

    /// The values of a list; nil when the lengths do not add up.
    static func fields(_ list: [UInt8], _ data: [UInt8]) -> [Field]? {
        let (entries, error) = DataObjectList.scan(list)
        guard error == nil, entries.reduce(0, { $0 + $1.length }) == data.count else { return nil }
        var position = 0
        return entries.map { entry in
            defer { position += entry.length }
            return Field(tag: entry.tag, value: Array(data[position..<position + entry.length]))
        }
    }
}
