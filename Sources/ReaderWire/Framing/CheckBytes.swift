/// Check bytes of the serial protocols, at several gigabytes a second.
enum CheckBytes {
    /// The exclusive-or of all bytes: the LRC of MPI and NGA, the check byte of QPOS.
    static func exclusiveOr(_ bytes: Span<UInt8>) -> UInt8 {
        let raw = bytes.bytes
        let whole = bytes.count & ~7
        var place = 0
        var sum: UInt64 = 0
        while place < whole {
            // Within the bytes: `place` is at most eight below `whole`.
            sum ^= unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self)
            place += 8
        }
        sum ^= sum >> 32
        sum ^= sum >> 16
        sum ^= sum >> 8
        var check = UInt8(truncatingIfNeeded: sum)
        while place < bytes.count {
            check ^= bytes[place]
            place += 1
        }
        return check
    }

    /// CRC-16/CCITT-FALSE: polynomial 1021, begins with FFFF, not reflected; of "123456789" it is 29B1.
    static func crc16(_ bytes: Span<UInt8>) -> UInt16 {
        let table = crcTable.span
        var crc: UInt16 = 0xFFFF
        var place = 0
        // Eight bytes a step. Every index is a byte plus a multiple of 256 below the table's 2048, and every place is
        // below the count.
        while place + 8 <= bytes.count {
            crc ^= UInt16(bytes[unchecked: place]) << 8 | UInt16(bytes[unchecked: place + 1])
            let first = table[unchecked: 1792 + Int(crc >> 8)] ^ table[unchecked: 1536 + Int(crc & 0xFF)]
            let second =
                table[unchecked: 1280 + Int(bytes[unchecked: place + 2])]
                ^ table[unchecked: 1024 + Int(bytes[unchecked: place + 3])]
            let third =
                table[unchecked: 768 + Int(bytes[unchecked: place + 4])]
                ^ table[unchecked: 512 + Int(bytes[unchecked: place + 5])]
            let fourth =
                table[unchecked: 256 + Int(bytes[unchecked: place + 6])]
                ^ table[unchecked: Int(bytes[unchecked: place + 7])]
            crc = first ^ second ^ third ^ fourth
            place += 8
        }
        while place < bytes.count {
            crc = crc << 8 ^ table[Int(UInt8(crc >> 8) ^ bytes[place])]
            place += 1
        }
        return crc
    }

    /// Eight tables of 256: table k holds the remainder of a byte with k zero bytes behind it.
    private static let crcTable: [UInt16] = {
        var table = [UInt16](repeating: 0, count: 2048)
        for byte in 0..<256 {
            var crc = UInt16(byte) << 8
            for _ in 0..<8 { crc = crc & 0x8000 != 0 ? crc << 1 ^ 0x1021 : crc << 1 }
            table[byte] = crc
        }
        for place in 256..<2048 {
            let before = table[place - 256]
            table[place] = before << 8 ^ table[Int(before >> 8)]
        }
        return table
    }()
}
