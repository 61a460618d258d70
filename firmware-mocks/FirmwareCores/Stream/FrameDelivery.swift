/// Hands the frames of an answer to the host as they are, or as a fault spoils them, for protocols whose frames stand one
/// after another in a stream and end with one check byte.
struct FrameDelivery {
    /// Bytes that are no frame, a false start among them.
    let noise: [UInt8]
    /// A message that nobody asked for; nil where the protocol has none.
    let unsolicited: [UInt8]?
    /// The beginning of a frame that says it is far longer than it will ever be.
    let hostileLength: [UInt8]

    /// - Parameters:
    ///   - frames: of one answer, in order; those of a chain belong together.
    ///   - stale: the answer of an earlier command.
    func effects(
        _ frames: [[UInt8]], _ fault: FrameFault?, stale: [UInt8], at now: Duration,
        _ agenda: inout Agenda<SerialEffect>
    ) -> [SerialEffect] {
        let whole = frames.flatMap(\.self)
        switch fault {
        // There is only one order of a single check byte.
        case nil, .unplugBefore, .swappedCheck: return joined(whole)
        case .wrongCheck: return joined(whole.dropLast() + [(whole.last ?? 0) ^ 0x01])
        case .cut: return joined(half(whole))
        case .noiseBefore: return joined(noise + whole)
        case .stale: return joined(stale + whole)
        case .twice: return joined(whole + whole)
        case .unsolicited: return joined(withUnsolicited(frames))
        case .silent: return []
        case .hostileLength: return joined(hostileLength)
        case .late(let delay):
            agenda.add(.bytes(whole), at: now + delay)
            return []
        case .split(let pause):
            for (index, byte) in whole.enumerated() { agenda.add(.bytes([byte]), at: now + pause * (index + 1)) }
            return []
        case .splitAt(let count):
            guard (1..<whole.count).contains(count) else { return joined(whole) }
            return [.bytes(Array(whole[..<count])), .bytes(Array(whole[count...]))]
        case .unplugAfter:
            agenda.add(.unplug, at: now + .milliseconds(1))
            return []
        case .unplugHalf:
            agenda.add(.unplug, at: now + .milliseconds(5))
            return joined(half(whole))
        }
    }

    private func joined(_ bytes: [UInt8]) -> [SerialEffect] { bytes.isEmpty ? [] : [.bytes(bytes)] }

    private func half(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix(bytes.count / 2)) }

    /// Between the first two frames of a chain; before a single frame.
    private func withUnsolicited(_ frames: [[UInt8]]) -> [UInt8] {
        guard let unsolicited else { return frames.flatMap(\.self) }
        guard frames.count > 1 else { return unsolicited + frames.flatMap(\.self) }
        return frames[0] + unsolicited + frames.dropFirst().flatMap(\.self)
    }
}
