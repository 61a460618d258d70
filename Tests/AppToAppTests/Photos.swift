@testable import AppToApp

/// The smallest photos that are whole.
enum Photos {
    static let jpeg: [UInt8] =
        [0xFF, 0xD8] + segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
        + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64)) + segment(0xC0, [8, 0, 1, 0, 1, 1, 1, 0x11, 0])
        + segment(0xC4, [0] + [UInt8](repeating: 0, count: 16)) + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x3F]
        + [0xFF, 0xD9]

    static let png: [UInt8] = pngStart + chunk("IHDR", header) + chunk("IDAT", [0x78, 0x9C, 1]) + chunk("IEND", [])

    static let pngStart: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    static let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]

    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        let length = body.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + body
    }

    static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + body
        return number(UInt32(body.count)) + content + number(CRC32.checksum(content))
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }
}
