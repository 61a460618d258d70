/// Whether bytes are a photo: the first bytes of a format, and the frame of it up to the end, so that nothing else can
/// hide in front of it, behind it or under its name. The pixels are not decoded.
public enum PhotoFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg, png

    /// Bytes of a file at most.
    public static let largestFile = 10 << 20

    /// Nil when they are neither.
    public init?(of bytes: [UInt8]) {
        if Self.isJPEG(bytes) {
            self = .jpeg
        } else if Self.isPNG(bytes) {
            self = .png
        } else {
            return nil
        }
    }

    /// ITU-T T.81, annex B: segments with their lengths from SOI over a frame header to a scan, and EOI at the end.
    private static func isJPEG(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]), bytes.suffix(2) == [0xFF, 0xD9] else { return false }
        var index = 2
        var hasFrame = false
        while index + 4 <= bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            if marker == 0xFF {
                index += 1
                continue
            }
            guard (0xC0...0xFE).contains(marker), !(0xD0...0xD9).contains(marker) else { return false }
            let length = number(bytes[(index + 2)..<(index + 4)])
            guard length >= 2, index + 2 + length <= bytes.count else { return false }
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                let body = bytes[(index + 4)..<(index + 2 + length)]
                guard length >= 11, isFrameHeader(Array(body)) else { return false }
                hasFrame = true
            }
            if marker == 0xDA { return hasFrame }
            index += 2 + length
        }
        return false
    }

    /// Precision, lines, samples a line, and three bytes for each component.
    private static func isFrameHeader(_ body: [UInt8]) -> Bool {
        [8, 12].contains(body[0]) && number(body[3..<5]) > 0 && (1...4).contains(body[5])
            && body.count == 6 + 3 * Int(body[5])
    }

    /// PNG (ISO/IEC 15948): the signature, chunks with right check sums from IHDR over IDAT to IEND, and nothing behind.
    private static func isPNG(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return false }
        var index = 8
        var hasData = false
        while index + 12 <= bytes.count {
            let length = number(bytes[index..<(index + 4)])
            guard length <= bytes.count - index - 12 else { return false }
            let type = String(decoding: bytes[(index + 4)..<(index + 8)], as: UTF8.self)
            let end = index + 8 + length
            guard number(bytes[end..<(end + 4)]) == Int(CRC32.checksum(bytes[(index + 4)..<end])),
                (index == 8) == (type == "IHDR")
            else { return false }
            if index == 8, !isHeader(Array(bytes[(index + 8)..<end])) { return false }
            if type == "IDAT" { hasData = true }
            if type == "IEND" { return length == 0 && hasData && end + 4 == bytes.count }
            index = end + 4
        }
        return false
    }

    /// Pixels. A picture that claims more is made to burst whatever opens it later.
    private static let longestSide = 16_384

    private static func isHeader(_ body: [UInt8]) -> Bool {
        let sides = 1...longestSide
        guard body.count == 13, sides.contains(number(body[0..<4])), sides.contains(number(body[4..<8])) else {
            return false
        }
        let depths: [UInt8] =
            switch body[9] {
            case 0: [1, 2, 4, 8, 16]
            case 3: [1, 2, 4, 8]
            case 2, 4, 6: [8, 16]
            default: []
            }
        return depths.contains(body[8]) && body[10] == 0 && body[11] == 0 && body[12] <= 1
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
