/// USB 2.0, 9.6.7.
public enum StringDescriptor {
    /// The text of a string descriptor (UTF-16LE behind a two-byte header). Nil when it is none. A bLength that is too
    /// long for the bytes, or odd, is cut: both occur in readers.
    public static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 2, bytes[0] >= 2, bytes[1] == 0x03 else { return nil }
        let end = min(Int(bytes[0]), bytes.count) & ~1
        let units = stride(from: 2, to: end, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
        return String(decoding: units, as: UTF16.self)
    }
}
