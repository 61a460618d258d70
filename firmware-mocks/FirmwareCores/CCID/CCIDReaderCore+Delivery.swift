extension CCIDReaderCore {
    /// Time between two requests for more time.
    static let extensionInterval = Duration.milliseconds(100)
    /// How long the reader is away when it restarts by itself.
    private static let restart = Duration.milliseconds(300)

    /// Hands a reply to the host, or does what the fault says instead.
    func deliver(_ reply: CCIDReply, _ fault: CCIDFault?, at now: Duration) -> [FirmwareEffect] {
        let bytes = reply.bytes
        var stale = reply
        stale.sequence &-= 1
        switch fault {
        case nil, .unplugBefore, .cardRemoved:
            return [data(bytes)]
        case .unplugAfter:
            schedule(.unplug, at: now + .milliseconds(1))
            return []
        case .unplugHalf:
            schedule(.unplug, at: now + .milliseconds(5))
            return [data(Array(bytes.prefix(bytes.count / 2)))]
        case .silent:
            return []
        case .late(let delay):
            schedule(answer: bytes, at: now + delay)
            return []
        case .stall:
            return [.halt(endpoint: CCIDDescriptors.bulkIn)]
        case .short:
            return [data(Array(bytes.prefix(bytes.count / 2)))]
        case .wrongSequence:
            return [data(stale.bytes)]
        case .stale:
            return [data(stale.bytes), data(bytes)]
        case .twice:
            return [data(bytes), data(bytes)]
        case .glued:
            return [data(stale.bytes + bytes)]
        case .garbageBefore:
            return [data(random.bytes(1 + Int(random.next() % 9)) + bytes)]
        case .oversized:
            var huge = reply
            huge.data += [UInt8](repeating: 0xA5, count: 4096)
            return [data(huge.bytes)]
        case .timeExtension(let count):
            return extend(reply, count, at: now)
        case .badStatus:
            var bad = reply
            bad.status |= 0xC0
            return [data(bad.bytes)]
        case .drip(let pause):
            for (index, byte) in bytes.enumerated() {
                schedule(answer: [byte], at: now + pause * (index + 1))
            }
            return []
        case .reboot:
            schedule(.unplug, at: now + .milliseconds(1))
            schedule(.plug, at: now + Self.restart)
            return []
        case .storm:
            return (0..<100).flatMap { _ in slotChange() } + [data(bytes)]
        }
    }

    /// bmCommandStatus 2: the multiplier of the waiting time stands in bError.
    private func extend(_ reply: CCIDReply, _ count: Int, at now: Duration) -> [FirmwareEffect] {
        let request = CCIDReply(
            kind: reply.kind, slot: reply.slot, sequence: reply.sequence, status: 0x80 | slot.status, error: 1)
        for index in 0..<count {
            schedule(answer: request.bytes, at: now + Self.extensionInterval * index)
        }
        schedule(answer: reply.bytes, at: now + Self.extensionInterval * count)
        return advance(to: now)
    }
}
