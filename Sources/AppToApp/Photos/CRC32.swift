/// The check sum of PNG chunks (ISO/IEC 15948, annex D).
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    static func checksum(_ bytes: some Collection<UInt8>) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { value, byte in
            value >> 8 ^ table[Int((value ^ UInt32(byte)) & 0xFF)]
        }
    }
}
