/// Bytes that are exactly one data object, as a card answers (EMV Book 3, 6): read through once to see that all of it is
/// sound, and then stepped over where it stands. Unlike `TLVTree` it builds nothing.
public struct SoleObject: Sendable {
    /// The object with whatever filler 00 stands around it.
    public let bytes: [UInt8]
    private let item: TLVReader.Item

    /// Nil unless there is exactly one object that is sound on all its levels: what `TLVTree` with its usual options
    /// calls clean.
    public init?(parsing bytes: [UInt8]) {
        let options = TLVOptions()
        guard bytes.count <= options.sizeLimit, let item = Self.item(in: bytes.span, depthLimit: options.depthLimit)
        else { return nil }
        self.bytes = bytes
        self.item = item
    }

    public var tag: Tag { item.tag }
    public var valueRange: Range<Int> { item.valueRange }
    public var value: [UInt8] { Array(bytes[item.valueRange]) }
    /// The objects directly inside; none for a primitive object.
    public var children: TLVChildren { TLVChildren(of: item, in: bytes) }

    private static func item(in bytes: Span<UInt8>, depthLimit: Int) -> TLVReader.Item? {
        var reader = TLVReader(range: 0..<bytes.count)
        guard case .object(let item)? = reader.next(in: bytes), reader.next(in: bytes) == nil,
            isSound(item, levels: depthLimit - 1, in: bytes)
        else { return nil }
        return item
    }

    /// The recursion is as deep as the levels of templates that may be inside.
    private static func isSound(_ item: TLVReader.Item, levels: Int, in bytes: Span<UInt8>) -> Bool {
        guard item.tag.isConstructed, !item.valueRange.isEmpty else { return true }
        guard levels > 0 else { return false }
        var reader = TLVReader(range: item.valueRange, isTemplate: true)
        while let step = reader.next(in: bytes) {
            guard case .object(let child) = step, isSound(child, levels: levels - 1, in: bytes) else { return false }
        }
        return true
    }
}
