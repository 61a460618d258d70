/// A command APDU with short length fields (ISO/IEC 7816-3, 12.1), cut into its parts.
struct ShortCommandAPDU: Sendable, Hashable {
    /// CLA INS P1 P2.
    let header: [UInt8]
    /// 0 ... 255 bytes.
    let data: [UInt8]
    /// Le as coded; 00 stands for 256.
    let expectedLength: UInt8?

    /// - Throws: `T0Error.malformedAPDU` or `.extendedLength`.
    init(parsing bytes: [UInt8]) throws(T0Error) {
        guard bytes.count >= 4 else { throw .malformedAPDU }
        header = Array(bytes[..<4])
        if bytes.count == 4 {
            (data, expectedLength) = ([], nil)
            return
        }
        if bytes.count == 5 {
            (data, expectedLength) = ([], bytes[4])
            return
        }
        let length = Int(bytes[4])
        guard length > 0 else { throw bytes.count >= 7 ? .extendedLength : .malformedAPDU }
        switch bytes.count - 5 - length {
        case 0: expectedLength = nil
        case 1: expectedLength = bytes[5 + length]
        default: throw .malformedAPDU
        }
        data = Array(bytes[5..<5 + length])
    }

    /// The command with another Le: the same bytes but for the last.
    func bytes(expecting le: UInt8?) -> [UInt8] {
        header + (data.isEmpty ? [] : [UInt8(clamping: data.count)] + data) + (le.map { [$0] } ?? [])
    }

    /// What goes to the card with T=0: P3 is Lc, else Le, else 00; a case 4 command goes without its Le
    /// (ISO/IEC 7816-3, 12.2.2 to 12.2.5).
    func transportUnit(expecting le: UInt8?) -> [UInt8] {
        data.isEmpty ? header + [le ?? 0] : bytes(expecting: nil)
    }
}
