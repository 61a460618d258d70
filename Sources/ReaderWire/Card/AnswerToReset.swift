/// What a contact card says about itself after a reset (ISO/IEC 7816-3, 8.2).
public struct AnswerToReset: Sendable, Hashable {
    /// TS and at most 32 bytes.
    public static let maximumLength = 33

    public enum Convention: Sendable, Hashable {
        /// TS = 3B.
        case direct
        /// TS = 3F.
        case inverse
    }

    /// TAi to TDi. The protocol that TD(i-1) names decides what they mean from the third group on.
    public struct InterfaceGroup: Sendable, Hashable {
        /// T of the TD byte that announced this group; nil for the first group, which T0 announces.
        public let protocolNumber: UInt8?
        public let ta: UInt8?
        public let tb: UInt8?
        public let tc: UInt8?
        public let td: UInt8?
    }

    /// TA2: the card works with one protocol only, without negotiation (ISO/IEC 7816-3, 6.3.1 and 8.3).
    public struct SpecificMode: Sendable, Hashable {
        public let protocolNumber: UInt8
        /// b8 = 0: a warm reset may lead to negotiable mode.
        public let mayChangeToNegotiable: Bool
        /// b5 = 0: TA1 gives the speed; otherwise the speed is implicitly known.
        public let usesInterfaceByteSpeed: Bool

        /// Nil when it is not a protocol that this software speaks.
        public var `protocol`: CardProtocol? { CardProtocol(rawValue: protocolNumber) }
    }

    /// As received, decoded to the direct convention by the reader.
    public let bytes: [UInt8]
    public let convention: Convention
    public let interfaceGroups: [InterfaceGroup]
    /// 0 ... 15 bytes.
    public let historicalBytes: [UInt8]
    /// TCK, where the card offers anything but T=0.
    public let checkCharacter: UInt8?

    /// - Throws: `ATRError` with the offset of the first byte that is wrong or missing.
    public init(parsing bytes: [UInt8]) throws(ATRError) {
        guard let initial = bytes.first else { throw ATRError(.empty, at: 0) }
        switch initial {
        case 0x3B: convention = .direct
        case 0x3F: convention = .inverse
        default: throw ATRError(.badInitialCharacter, at: 0)
        }
        guard bytes.count <= Self.maximumLength else { throw ATRError(.tooLong, at: Self.maximumLength) }
        var cursor = ATRCursor(bytes: bytes, offset: 1)
        let format = try cursor.next()
        interfaceGroups = try cursor.interfaceGroups(announcedBy: format)
        historicalBytes = try cursor.next(Int(format & 0x0F))
        if interfaceGroups.contains(where: { ($0.protocolNumber ?? 0) != 0 }) {
            checkCharacter = try cursor.next()
            guard bytes[1..<cursor.offset].reduce(0, ^) == 0 else {
                throw ATRError(.badCheckCharacter, at: cursor.offset - 1)
            }
        } else {
            checkCharacter = nil
        }
        guard cursor.offset == bytes.count else { throw ATRError(.trailingBytes, at: cursor.offset) }
        self.bytes = bytes
    }
}

/// Reads an answer to reset from the left; every read is checked against the end.
private struct ATRCursor {
    let bytes: [UInt8]
    var offset: Int

    mutating func next() throws(ATRError) -> UInt8 {
        guard offset < bytes.count else { throw ATRError(.truncated, at: bytes.count) }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func next(_ count: Int) throws(ATRError) -> [UInt8] {
        guard count <= bytes.count - offset else { throw ATRError(.truncated, at: bytes.count) }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// The chain of TD bytes is no longer than the 33 bytes that hold it.
    mutating func interfaceGroups(announcedBy format: UInt8) throws(ATRError) -> [AnswerToReset.InterfaceGroup] {
        var groups: [AnswerToReset.InterfaceGroup] = []
        var indicator: UInt8? = format & 0xF0
        var protocolNumber: UInt8?
        while let present = indicator {
            let ta = present & 0x10 != 0 ? try next() : nil
            let tb = present & 0x20 != 0 ? try next() : nil
            let tc = present & 0x40 != 0 ? try next() : nil
            let td = present & 0x80 != 0 ? try next() : nil
            groups.append(.init(protocolNumber: protocolNumber, ta: ta, tb: tb, tc: tc, td: td))
            protocolNumber = td.map { $0 & 0x0F }
            indicator = td.map { $0 & 0xF0 }
        }
        return groups
    }
}
