extension NEO2Firmware {
    /// A message as the link carries it.
    func pieces(_ message: [UInt8]) -> [[UInt8]] {
        guard link == .hid else { return [message] }
        let room = NEO2HIDCore.reportLength - 1
        let count = max(1, (message.count + room - 1) / room)
        return (0..<count).map { index in
            let part = message[min(index * room, message.count)..<min((index + 1) * room, message.count)]
            let id: UInt8 = count == 1 ? 1 : index == 0 ? 2 : index == count - 1 ? 4 : 3
            return [id] + part + [UInt8](repeating: 0, count: room - part.count)
        }
    }

    /// Hands an answer to the host, or does what the fault says instead.
    func deliver(_ message: [UInt8], _ fault: FrameFault?, at now: Duration) -> [SerialEffect] {
        switch fault {
        case nil, .unplugBefore: return joined([message])
        case .wrongCheck: return joined([message.dropLast() + [(message.last ?? 0) ^ 0x01]])
        case .swappedCheck: return joined([message.dropLast(2) + message.suffix(2).reversed()])
        case .cut: return cut(message)
        case .noiseBefore: return joined([[0x00, 0xFF, 0x56, 0x69], message])
        case .late(let delay): return later([(delay, message)], at: now)
        case .stale: return joined([NEO2Message.response(stale(message), NEO2Status.ok), message])
        case .twice: return joined([message, message])
        case .unsolicited: return joined([NEO2Message.event(0x01, 0x11), message])
        case .silent: return []
        case .hostileLength:
            return joined([NEO2Message.header + message[10..<12] + [0xFF, 0xFF] + message.dropFirst(14).prefix(8)])
        case .split(let pause):
            let parts = link == .hid ? pieces(message) : message.map { [$0] }
            for (index, part) in parts.enumerated() { agenda.add(.bytes(part), at: now + pause * (index + 1)) }
            return []
        case .splitAt(let count):
            guard link == .stream, (1..<message.count).contains(count) else { return joined([message]) }
            return [.bytes(Array(message[..<count])), .bytes(Array(message[count...]))]
        case .unplugAfter:
            agenda.add(.unplug, at: now + .milliseconds(1))
            return []
        case .unplugHalf:
            agenda.add(.unplug, at: now + .milliseconds(5))
            return cut(message)
        }
    }

    /// One piece on a stream, so that the host reads both at once; reports of their own over HID.
    private func joined(_ messages: [[UInt8]]) -> [SerialEffect] {
        link == .hid ? messages.flatMap(pieces).map(SerialEffect.bytes) : [.bytes(messages.flatMap(\.self))]
    }

    private func later(_ messages: [(Duration, [UInt8])], at now: Duration) -> [SerialEffect] {
        for (delay, message) in messages {
            for piece in pieces(message) { agenda.add(.bytes(piece), at: now + delay) }
        }
        return []
    }

    /// The first half of a message; over HID without its last report, or with zeros for its end.
    private func cut(_ message: [UInt8]) -> [SerialEffect] {
        let half = Array(message.prefix(message.count / 2))
        let whole = pieces(message)
        guard link == .hid, whole.count > 1 else { return joined([half]) }
        return whole.dropLast().map(SerialEffect.bytes)
    }

    /// The command byte of an answer to another command than this one.
    private func stale(_ message: [UInt8]) -> UInt8 { message.count > 10 && message[10] == 0x18 ? 0x29 : 0x18 }
}
