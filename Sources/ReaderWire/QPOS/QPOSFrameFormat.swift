/// The framing of DSpread's QPOS readers: 4D, a big-endian length, id, command, sub-command, timeout or result, the
/// data's length once more, data, and the exclusive-or of all before. Derived from the vendor's public host code.
enum QPOSFrameFormat {
    /// The bound of the vendor's header.
    static let longestFrame = 4096
    static let overhead = 10

    @inline(__always)
    static func candidate(in bytes: Span<UInt8>, at place: Int) -> FrameCandidate {
        guard bytes[place] == 0x4D else { return .noise(.noStart) }
        let left = bytes.count - place
        // 4D is a common data byte: what is wrong is seen as early as can be, so that nothing waits for a false frame.
        guard left >= 3 else {
            return left == 2 && bytes[place + 1] > 0x0F
                ? .noise(.badLength) : .incomplete(needed: 9, hasHeader: false)
        }
        let length = Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
        guard length >= 6, length + 4 <= longestFrame else { return .noise(.badLength) }
        guard left >= 9 else { return .incomplete(needed: 9, hasHeader: false) }
        guard Int(bytes[place + 7]) << 8 | Int(bytes[place + 8]) == length - 6 else { return .noise(.badLength) }
        let total = length + 4
        guard left >= total else { return .incomplete(needed: total, hasHeader: true) }
        let check = CheckBytes.exclusiveOr(bytes.extracting(place..<place + total))
        return .frame(length: total, isGood: check == 0)
    }
}
