/// The packets of Miura's MPI and Verifone's VIPA: NAD, PCB, LEN, a part of an APDU, and the exclusive-or of all before.
/// There is no start byte.
enum MPIPacketFormat {
    static let longestAPDUPart = 254
    static let overhead = 4
    static let longestPacket = longestAPDUPart + overhead

    @inline(__always)
    static func candidate(in bytes: Span<UInt8>, at place: Int) -> FrameCandidate {
        let left = bytes.count - place
        guard bytes[place] == 0x01 || bytes[place] == 0x02 else { return .noise(.noStart) }
        guard left >= 2 else { return .incomplete(needed: 3, hasHeader: false) }
        guard bytes[place + 1] & ~0x41 == 0 else { return .noise(.badHeader) }
        guard left >= 3 else { return .incomplete(needed: 3, hasHeader: false) }
        let length = Int(bytes[place + 2])
        guard length >= 2, length <= longestAPDUPart else { return .noise(.badLength) }
        let total = length + overhead
        guard left >= total else { return .incomplete(needed: total, hasHeader: true) }
        let check = CheckBytes.exclusiveOr(bytes.extracting(place..<place + total))
        return .frame(length: total, isGood: check == 0)
    }
}
