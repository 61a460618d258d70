/// The transmission protocols of contact cards that this software speaks (ISO/IEC 7816-3, 10 and 11).
public enum CardProtocol: UInt8, Sendable, Hashable, CaseIterable {
    /// Character oriented, half duplex (ISO/IEC 7816-3, 10).
    case t0 = 0
    /// Block oriented, half duplex (ISO/IEC 7816-3, 11).
    case t1 = 1
}

/// How the epilogue of a T=1 block is computed (ISO/IEC 7816-3, 11.3.4 and 11.4.4: b1 of the first TC for T=1).
public enum T1ErrorDetection: Sendable, Hashable, CaseIterable {
    /// One byte, the exclusive-or of all bytes before it. The default, and the only one EMV allows.
    case lrc
    /// Two bytes, most significant first, the 16-bit check of ISO/IEC 13239.
    case crc

    /// Of the epilogue, in bytes.
    public var length: Int {
        switch self {
        case .lrc: 1
        case .crc: 2
        }
    }

    /// The epilogue of a block whose prologue and information field are `bytes`.
    public func code(of bytes: some Sequence<UInt8>) -> [UInt8] {
        switch self {
        case .lrc: [bytes.reduce(0, ^)]
        case .crc: Self.cyclicRedundancyCheck(bytes)
        }
    }

    private static func cyclicRedundancyCheck(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var register: UInt16 = 0xFFFF
        for byte in bytes {
            register ^= UInt16(byte)
            for _ in 0..<8 {
                register = register & 1 == 1 ? (register >> 1) ^ 0x8408 : register >> 1
            }
        }
        return [UInt8(register >> 8), UInt8(truncatingIfNeeded: register)]
    }
}
