/// Writes data objects one after another, always with the shortest length form (127 → 7F, 128 → 81 80).
public struct TLVEncoder: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    /// With room for one object, whose tag and length take at most four and nine bytes.
    fileprivate init(forValueOf count: Int) {
        bytes.reserveCapacity(count + 13)
    }

    public mutating func append(_ tag: Tag, _ value: some Collection<UInt8>) {
        bytes += tag.bytes
        let count = value.count
        if count < 0x80 {
            bytes.append(UInt8(count))
        } else {
            let byteCount = (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
            bytes.append(0x80 | UInt8(byteCount))
            for position in (0..<byteCount).reversed() {
                bytes.append(UInt8(truncatingIfNeeded: count >> (position * 8)))
            }
        }
        bytes += value
    }

    /// A template with what `body` writes inside.
    public mutating func append(_ tag: Tag, body: (inout TLVEncoder) -> Void) {
        var inner = TLVEncoder()
        body(&inner)
        append(tag, inner.bytes)
    }
}

/// One data object: tag, shortest length, value.
public func encodeTLV(_ tag: Tag, _ value: [UInt8]) -> [UInt8] {
    var encoder = TLVEncoder(forValueOf: value.count)
    encoder.append(tag, value)
    return encoder.bytes
}
