import Glibc

/// Bytes that one end of a relay has given and the other has not taken yet. What has been taken is wiped.
struct RelayBuffer: ~Copyable {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    mutating func append(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    /// Lets `body` append.
    mutating func fill(_ body: (inout [UInt8]) -> Void) {
        body(&bytes)
    }

    /// Shows the bytes to `take`, which answers how many of them it has taken.
    mutating func offer(_ take: (UnsafeRawBufferPointer) -> Int) {
        guard !isEmpty else { return }
        let taken = bytes.withUnsafeBytes { all in
            max(0, min(take(UnsafeRawBufferPointer(rebasing: all[start...])), count))
        }
        wipe(taken)
    }

    /// Answers how many there were.
    @discardableResult
    mutating func removeAll() -> Int {
        defer { wipe(count) }
        return count
    }

    private mutating func wipe(_ taken: Int) {
        bytes.withUnsafeMutableBytes { all in
            if taken > 0, let base = all.baseAddress { explicit_bzero(base + start, taken) }
        }
        start += taken
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 65_536)
            start = 0
        } else if start > 32_768 {
            bytes.removeFirst(start)
            start = 0
        }
    }
}
