/// The framing of ID TECH's NEO2 protocol on serial lines and within HID reports ("ViVOtech2").
///
/// A frame is ten header bytes, command, sub-command or status, a big-endian data length, the data and a CRC-16. Responses
/// carry the CRC's high byte first, ordinary commands its low byte first, and pass-through commands (2C) the high byte
/// first. Events are frames of their own that begin with 45 00 55.
public struct NEO2FrameFormat: Sendable, Hashable {
    /// In which order a receiver accepts the CRC's bytes.
    public enum CheckOrder: Sendable, Hashable {
        /// As the reader sends: what a driver accepts.
        case highFirst
        /// As hosts send, with the exceptions that exist: what a reader, and a decoder of logs, accepts.
        case either
    }

    /// "ViVOtech2" and a zero byte.
    public static let header: [UInt8] = [0x56, 0x69, 0x56, 0x4F, 0x74, 0x65, 0x63, 0x68, 0x32, 0x00]
    /// Bytes of a frame beside its data.
    public static let overhead = 16
    static let eventHeader: [UInt8] = [0x45, 0x00, 0x55]
    static let longestEventData = 256

    public var checkOrder: CheckOrder
    /// The most data bytes of a frame that is believed. The longest known answer has 377.
    public var longestData: Int

    public init(checkOrder: CheckOrder = .highFirst, longestData: Int = 8192) {
        self.checkOrder = checkOrder
        self.longestData = min(max(0, longestData), 0xFFFF)
    }

    @inline(__always)
    func candidate(in bytes: Span<UInt8>, at place: Int) -> FrameCandidate {
        switch bytes[place] {
        case 0x56: frame(in: bytes, at: place)
        case 0x45: event(in: bytes, at: place)
        default: .noise(.noStart)
        }
    }

    private func frame(in bytes: Span<UInt8>, at place: Int) -> FrameCandidate {
        let left = bytes.count - place
        guard left >= 10 else {
            return Self.matches(Self.header, bytes, place)
                ? .incomplete(needed: 14, hasHeader: false) : .noise(.noStart)
        }
        guard Self.isHeader(bytes, place) else { return .noise(.badHeader) }
        guard left >= 14 else { return .incomplete(needed: 14, hasHeader: false) }
        let length = Int(bytes[place + 12]) << 8 | Int(bytes[place + 13])
        guard length <= longestData else { return .noise(.badLength) }
        let total = Self.overhead + length
        guard left >= total else { return .incomplete(needed: total, hasHeader: true) }
        let crc = CheckBytes.crc16(bytes.extracting(place..<place + total - 2))
        let found = UInt16(bytes[place + total - 2]) << 8 | UInt16(bytes[place + total - 1])
        let isGood = found == crc || (checkOrder == .either && found.byteSwapped == crc)
        return .frame(length: total, isGood: isGood)
    }

    private func event(in bytes: Span<UInt8>, at place: Int) -> FrameCandidate {
        let left = bytes.count - place
        guard Self.matches(Self.eventHeader, bytes, place) else { return .noise(.noStart) }
        guard left >= 5 else { return .incomplete(needed: 5, hasHeader: false) }
        let length = Int(bytes[place + 3]) << 8 | Int(bytes[place + 4])
        guard length > 0, length % 4 == 0, length <= Self.longestEventData else { return .noise(.badLength) }
        let total = 7 + length
        guard left >= total else { return .incomplete(needed: total, hasHeader: true) }
        let crc = CheckBytes.crc16(bytes.extracting(place..<place + total - 2))
        let found = UInt16(bytes[place + total - 2]) << 8 | UInt16(bytes[place + total - 1])
        return .frame(length: total, isGood: found == crc)
    }

    @inline(__always)
    private static func isHeader(_ bytes: Span<UInt8>, _ place: Int) -> Bool {
        let raw = bytes.bytes
        // Ten bytes are there: the caller has counted them.
        let first = unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self)
        return UInt64(bigEndian: first) == 0x5669_564F_7465_6368 && bytes[place + 8] == 0x32 && bytes[place + 9] == 0
    }

    /// Whether as many of the header's bytes as are there are right.
    private static func matches(_ header: [UInt8], _ bytes: Span<UInt8>, _ place: Int) -> Bool {
        for index in 0..<min(header.count, bytes.count - place) where bytes[place + index] != header[index] {
            return false
        }
        return true
    }
}
