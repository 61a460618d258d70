/// MurmurHash2 with seed 0, as libudev puts it into the header of its events so that a socket filter can compare
/// subsystem and device type without reading text.
enum MurmurHash2 {
    static func hash(_ text: String) -> UInt32 {
        let bytes = Array(text.utf8)
        let multiplier: UInt32 = 0x5BD1_E995
        var hash = UInt32(truncatingIfNeeded: bytes.count)
        var index = 0
        while index + 4 <= bytes.count {
            var word =
                UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
                | UInt32(bytes[index + 3]) << 24
            word = word &* multiplier
            word ^= word >> 24
            word = word &* multiplier
            hash = (hash &* multiplier) ^ word
            index += 4
        }
        if index < bytes.count {
            for (position, byte) in bytes[index...].enumerated() {
                hash ^= UInt32(byte) << UInt32(8 * position)
            }
            hash = hash &* multiplier
        }
        hash ^= hash >> 13
        hash = hash &* multiplier
        return hash ^ (hash >> 15)
    }
}
