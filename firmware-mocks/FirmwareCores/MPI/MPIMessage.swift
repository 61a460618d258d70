/// The reader's side of Miura's MPI and Verifone's VIPA packets: NAD, PCB, LEN, part of an APDU, exclusive-or.
enum MPIMessage {
    static let longestPart = 254
    /// More than any command.
    static let longestMessage = 4096

    /// The packets of an answer, or of a message that nobody asked for.
    static func packets(_ message: [UInt8], isUnsolicited: Bool = false, partLength: Int = longestPart) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var rest = message[...]
        while !rest.isEmpty {
            var count = min(rest.count, max(2, partLength))
            // A last packet has two bytes at least.
            if rest.count - count == 1 { count = count > 2 ? count - 1 : 3 }
            let control: UInt8 = (isUnsolicited ? 0x40 : 0) | (rest.count > count ? 0x01 : 0)
            let bytes = [0x01, control, UInt8(count)] + rest.prefix(count)
            packets.append(bytes + [bytes.reduce(0, ^)])
            rest = rest.dropFirst(count)
        }
        return packets
    }

    /// Takes the first whole packet out of the front of `bytes`: whether more follow, and its part. Nil when more is needed.
    static func takePacket(from bytes: inout [UInt8]) -> (isChained: Bool, part: [UInt8])? {
        while !bytes.isEmpty {
            guard bytes[0] == 0x01 else {
                bytes.removeFirst()
                continue
            }
            guard bytes.count >= 3 else { return nil }
            let length = Int(bytes[2])
            guard bytes[1] & ~0x01 == 0, (2...longestPart).contains(length) else {
                bytes.removeFirst()
                continue
            }
            guard bytes.count >= length + 4 else { return nil }
            guard bytes[..<(length + 4)].reduce(0, ^) == 0 else {
                bytes.removeFirst()
                continue
            }
            defer { bytes.removeFirst(length + 4) }
            return (bytes[1] & 0x01 != 0, Array(bytes[3..<length + 3]))
        }
        return nil
    }

    /// A command: CLA, INS, P1, P2, then Lc and data, then Le.
    struct Command: Sendable, Hashable {
        var code: UInt16
        var p1: UInt8
        var p2: UInt8
        var data: [UInt8]

        init?(_ message: [UInt8]) {
            guard message.count >= 4 else { return nil }
            code = UInt16(message[0]) << 8 | UInt16(message[1])
            p1 = message[2]
            p2 = message[3]
            guard message.count > 5 else {
                data = []
                return
            }
            let end = 5 + Int(message[4])
            guard message.count == end || message.count == end + 1 else { return nil }
            data = Array(message[5..<end])
        }
    }
}

/// Status words. Those of errors are remembered, not published.
enum MPIStatus {
    static let success: UInt16 = 0x9000
    static let invalidData: UInt16 = 0x9F21
    static let noCard: UInt16 = 0x9F23
    static let invalidCard: UInt16 = 0x9F25
    static let outOfTurn: UInt16 = 0x9F26
    static let unsupportedCard: UInt16 = 0x9F28
    static let cancelled: UInt16 = 0x9F41
    static let unknownInstruction: UInt16 = 0x6D00
}
