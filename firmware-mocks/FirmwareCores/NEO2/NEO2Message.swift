/// The reader's side of the NEO2 framing ("ViVOtech2"): commands in, in either order of the CRC; responses and events out,
/// the CRC's high byte first.
enum NEO2Message {
    static let header: [UInt8] = Array("ViVOtech2".utf8) + [0x00]
    /// The most data that this reader takes in a command.
    static let longestData = 2048

    struct Command: Sendable, Hashable {
        var code: UInt8
        var subCommand: UInt8
        var data: [UInt8]
        var isCheckRight: Bool
    }

    /// A response: command, status, data.
    static func response(_ code: UInt8, _ status: UInt8, _ data: [UInt8] = []) -> [UInt8] {
        let bytes = header + [code, status, UInt8(data.count >> 8 & 0xFF), UInt8(data.count & 0xFF)] + data
        return bytes + check(bytes)
    }

    static func event(_ type: UInt8, _ value: UInt8) -> [UInt8] {
        let bytes: [UInt8] = [0x45, 0x00, 0x55, 0x00, 0x04, type, value, 0x00, 0x00]
        return bytes + check(bytes)
    }

    /// CRC-16/CCITT-FALSE, high byte first, bit by bit.
    static func check(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var crc: UInt16 = 0xFFFF
        for byte in bytes {
            crc ^= UInt16(byte) << 8
            for _ in 0..<8 { crc = crc & 0x8000 != 0 ? crc << 1 ^ 0x1021 : crc << 1 }
        }
        return [UInt8(crc >> 8), UInt8(crc & 0xFF)]
    }

    /// Takes the first command out of the front of `bytes`, with whatever stands before it. Nil when more is needed.
    static func takeCommand(from bytes: inout [UInt8]) -> Command? {
        while !bytes.isEmpty {
            let seen = min(bytes.count, header.count)
            guard bytes.prefix(seen) == header.prefix(seen)[...] else {
                bytes.removeFirst()
                continue
            }
            guard bytes.count >= 14 else { return nil }
            let length = Int(bytes[12]) << 8 | Int(bytes[13])
            guard length <= longestData else {
                bytes.removeFirst()
                continue
            }
            guard bytes.count >= 16 + length else { return nil }
            let found = Array(bytes[(14 + length)..<(16 + length)])
            let right = check(bytes[..<(14 + length)])
            defer { bytes.removeFirst(16 + length) }
            return Command(
                code: bytes[10], subCommand: bytes[11], data: Array(bytes[14..<14 + length]),
                isCheckRight: found == right || found == Array(right.reversed()))
        }
        return nil
    }
}
