/// The objects directly inside an object, in order, duplicates included: found while they are asked for. Ends at what
/// cannot be read; inside a `SoleObject` there is no such thing.
public struct TLVChildren: Sequence, IteratorProtocol, Sendable {
    private let bytes: [UInt8]
    private var reader: TLVReader

    init(of item: TLVReader.Item, in bytes: [UInt8]) {
        self.bytes = bytes
        let range = item.valueRange
        reader = TLVReader(
            range: item.tag.isConstructed ? range : range.lowerBound..<range.lowerBound, isTemplate: true)
    }

    public mutating func next() -> TLVReader.Item? {
        let bytes = bytes
        guard case .object(let item)? = reader.next(in: bytes.span) else { return nil }
        return item
    }

    /// The value of one of the objects.
    public func value(of item: TLVReader.Item) -> [UInt8] {
        Array(bytes[item.valueRange.clamped(to: 0..<bytes.count)])
    }

    /// The objects directly inside one of the objects.
    public func children(of item: TLVReader.Item) -> TLVChildren { TLVChildren(of: item, in: bytes) }

    /// The value of the first primitive object with this tag.
    public subscript(tag: Tag) -> [UInt8]? {
        tag.isConstructed ? nil : first { $0.tag == tag }.map(value(of:))
    }
}
