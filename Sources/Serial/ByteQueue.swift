/// Bytes in their order, added at one end and taken at the other. What is taken is wiped from it.
struct ByteQueue: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: some Collection<UInt8>) {
        bytes += more
    }

    /// At most `limit` bytes from the front.
    mutating func take(atMost limit: Int) -> [UInt8] {
        let end = start + min(max(limit, 0), count)
        let taken = Array(bytes[start..<end])
        for index in start..<end { bytes[index] = 0 }
        start = end
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 65_536)
            start = 0
        } else if start > 65_536 {
            bytes.removeFirst(start)
            start = 0
        }
        return taken
    }

    mutating func removeAll() {
        _ = take(atMost: count)
    }
}
