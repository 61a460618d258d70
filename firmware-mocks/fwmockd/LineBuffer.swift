/// Cuts a byte stream into lines. A line that grows too long is given up.
struct LineBuffer {
    static let longestLine = 4096
    private var bytes: [UInt8] = []

    /// The lines that are complete now, without their ends. Nil when the present line is too long.
    mutating func append(_ more: some Sequence<UInt8>) -> [String]? {
        bytes += more
        var lines: [String] = []
        while let end = bytes.firstIndex(of: 0x0A) {
            lines.append(String(decoding: bytes[..<end], as: UTF8.self))
            bytes.removeFirst(end + 1)
        }
        return bytes.count > Self.longestLine ? nil : lines
    }
}
