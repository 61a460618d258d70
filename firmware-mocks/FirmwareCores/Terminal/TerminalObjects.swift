/// Data objects in the order in which they were told, tags as hexadecimal text: "9F26". Test cards are cards: the text
/// form shows how many there are, never what they say.
public struct TerminalObjects: Sendable, Hashable {
    public private(set) var entries: [Entry] = []

    public struct Entry: Sendable, Hashable {
        public let tag: String
        public let value: [UInt8]
    }

    public init() {}

    /// The objects of a message: primitive ones, and constructed ones as they stand. Nil when a tag or a length is cut
    /// off, or an object is longer than the rest.
    public init?(parsing bytes: [UInt8]) {
        var reader = ObjectReader(rest: bytes[...])
        while !reader.rest.isEmpty {
            guard let entry = reader.next() else { return nil }
            entries.append(entry)
        }
    }

    /// The value of the first object with this tag; setting replaces all of them, and nil takes them away.
    public subscript(tag: String) -> [UInt8]? {
        get { entries.first { $0.tag == tag }?.value }
        set {
            guard let newValue else { return entries.removeAll { $0.tag == tag } }
            let entry = Entry(tag: tag, value: newValue)
            guard let place = entries.firstIndex(where: { $0.tag == tag }) else { return entries.append(entry) }
            entries[place] = entry
        }
    }

    /// Every value with this tag, in order.
    public func all(_ tag: String) -> [[UInt8]] { entries.filter { $0.tag == tag }.map(\.value) }

    /// One more object, beside those with the same tag.
    public mutating func append(_ tag: String, _ value: [UInt8]) {
        entries.append(Entry(tag: tag, value: value))
    }

    /// Takes the other's values where it has any.
    public mutating func merge(_ other: TerminalObjects) {
        for entry in other.entries { self[entry.tag] = entry.value }
    }

    /// Only these tags, in this order.
    public func chosen(_ tags: [String]) -> TerminalObjects {
        var result = TerminalObjects()
        for tag in tags {
            for value in all(tag) { result.append(tag, value) }
        }
        return result
    }

    /// The objects one after another as BER-TLV.
    public var bytes: [UInt8] {
        entries.flatMap { CardData.object(FirmwareCores.bytes(fromHexadecimal: $0.tag) ?? [], $0.value) }
    }

    /// Data for a data object list: right number of bytes for each entry, zeros where there is no value, short numbers
    /// filled from the left and other objects from the right (EMV Book 3, 5.4).
    func data(for list: [CardData.ListEntry]) -> [UInt8] {
        list.flatMap { entry -> [UInt8] in
            let value = self[entry.tag] ?? []
            let missing = [UInt8](repeating: 0, count: max(0, entry.length - value.count))
            if Self.numeric.contains(entry.tag) { return missing + value.suffix(entry.length) }
            return value.prefix(entry.length) + missing
        }
    }

    /// Tags of format n among those that a terminal sends.
    private static let numeric: Set<String> = ["9F02", "9F03", "9F1A", "5F2A", "9A", "9C", "9F21", "9F35", "5F36"]
}

extension TerminalObjects: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(entries.count) data objects" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Takes BER-TLV apart from the front, one object at a time.
struct ObjectReader {
    var rest: ArraySlice<UInt8>

    /// Nil at the end, and when what follows is not an object; nothing is taken then.
    mutating func next() -> TerminalObjects.Entry? {
        var tag: [UInt8] = []
        var place = rest.startIndex
        guard place < rest.endIndex else { return nil }
        tag.append(rest[place])
        place += 1
        var more = tag[0] & 0x1F == 0x1F
        while more {
            guard place < rest.endIndex, tag.count < 4 else { return nil }
            tag.append(rest[place])
            more = rest[place] & 0x80 != 0
            place += 1
        }
        guard place < rest.endIndex else { return nil }
        var length = Int(rest[place])
        place += 1
        if length >= 0x80 {
            let count = length & 0x7F
            guard (1...2).contains(count), rest.endIndex - place >= count else { return nil }
            length = rest[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
            place += count
        }
        guard rest.endIndex - place >= length else { return nil }
        defer { rest = rest[(place + length)...] }
        return TerminalObjects.Entry(tag: hexadecimal(tag), value: Array(rest[place..<place + length]))
    }
}
