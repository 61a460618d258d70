/// The reader's side of DSpread's "M" frames: requests in, answers out (vendor's public host code).
enum QPOSMessage {
    static let start: UInt8 = 0x4D
    /// The bound of the vendor's header.
    static let longestFrame = 4096
    static let overhead = 10

    /// What the host sends.
    struct Request: Sendable, Hashable {
        var id: UInt8
        var code: UInt8
        var subCode: UInt8
        /// Seconds.
        var timeout: UInt8
        var data: [UInt8]
        var isCheckRight: Bool
    }

    static func frame(_ id: UInt8, _ code: UInt8, _ subCode: UInt8, result: UInt8 = 0, _ data: [UInt8] = []) -> [UInt8]
    {
        func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
        let bytes = [start] + word(data.count + 6) + [id, code, subCode, result] + word(data.count) + data
        return bytes + [bytes.reduce(0, ^)]
    }

    /// Takes the first request out of the front of `bytes`, with whatever stands before it. Nil when more is needed.
    static func takeRequest(from bytes: inout [UInt8]) -> Request? {
        while !bytes.isEmpty {
            guard bytes[0] == start else {
                bytes.removeFirst()
                continue
            }
            guard bytes.count >= 3 else { return nil }
            let length = Int(bytes[1]) << 8 | Int(bytes[2])
            guard length >= 6, length + 4 <= longestFrame else {
                bytes.removeFirst()
                continue
            }
            guard bytes.count >= 9 else { return nil }
            guard Int(bytes[7]) << 8 | Int(bytes[8]) == length - 6 else {
                bytes.removeFirst()
                continue
            }
            guard bytes.count >= length + 4 else { return nil }
            defer { bytes.removeFirst(length + 4) }
            return Request(
                id: bytes[3], code: bytes[4], subCode: bytes[5], timeout: bytes[6],
                data: Array(bytes[9..<length + 3]), isCheckRight: bytes[..<(length + 4)].reduce(0, ^) == 0)
        }
        return nil
    }

    /// One length byte, then the value: the form of nearly every field.
    static func field(_ value: [UInt8]) -> [UInt8] { [UInt8(truncatingIfNeeded: value.count)] + value.prefix(255) }
}

/// Ids of the reader's frames.
enum QPOSState {
    static let waiting: UInt8 = 0x23
    static let completed: UInt8 = 0x24
    static let timeout: UInt8 = 0x25
    static let checkError: UInt8 = 0x27
    static let userCancel: UInt8 = 0x28
    static let powerOnError: UInt8 = 0x31
    static let tradeError: UInt8 = 0x32
    static let notAvailable: UInt8 = 0x35
    static let partData: UInt8 = 0x36
    static let stripeToChip: UInt8 = 0x42
    static let noApplication: UInt8 = 0x44
    static let fallback: UInt8 = 0x47
    static let cardRemoved: UInt8 = 0x51
}
