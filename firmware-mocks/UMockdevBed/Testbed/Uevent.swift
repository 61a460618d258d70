/// One event as udevd broadcasts it to its listeners.
struct Uevent: Sendable, Hashable {
    /// In the order they are sent. `SUBSYSTEM` and `DEVTYPE` must be among them: the listener's filter compares their
    /// hashes in the header.
    var properties: [(key: String, value: String)]

    static func == (left: Uevent, right: Uevent) -> Bool { left.datagram == right.datagram }

    func hash(into hasher: inout Hasher) { hasher.combine(datagram) }

    /// The 40-byte header of libudev's monitor protocol, then NUL-terminated `KEY=VALUE` texts.
    var datagram: [UInt8] {
        var text: [UInt8] = []
        for (key, value) in properties {
            text += Array("\(key)=\(value)".utf8) + [0]
        }
        return Array("libudev".utf8) + [0]
            + bigEndian(0xFEED_CAFE)
            + native(40) + native(40) + native(UInt32(truncatingIfNeeded: text.count))
            + bigEndian(hash(of: "SUBSYSTEM"))
            + bigEndian(hash(of: "DEVTYPE"))
            + [UInt8](repeating: 0, count: 8)  // bloom filter of tags: none
            + text
    }

    private func hash(of key: String) -> UInt32 {
        properties.first { $0.key == key }.map { MurmurHash2.hash($0.value) } ?? 0
    }

    private func bigEndian(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    private func native(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }
}
