/// The chapter-9 side of a mock: a firmware core as a host controller sees it. Transfers are submitted, complete in order,
/// and can be cancelled; standard requests are answered here, the rest by the core. Every rung wraps this one object.
/// Not thread-safe: its owner holds a lock.
public final class PluggedDevice {
    public typealias TransferID = UInt64

    public enum Completion: Sendable, Hashable {
        /// IN: the bytes received. OUT and accepted control requests: empty. Control IN: the data stage.
        case done([UInt8])
        case stalled
        /// A packet was larger than the room left in the host's buffer.
        case overflow
        case gone
    }

    private struct PendingIn {
        var id: TransferID
        var capacity: Int
        var received: [UInt8] = []
    }

    private struct Endpoint {
        var packets: [[UInt8]] = []
        var pending: [PendingIn] = []
        var isHalted = false
    }

    public let core: any FirmwareCore
    public private(set) var isPlugged = true
    private var endpoints: [UInt8: Endpoint] = [:]
    private var completions: [(TransferID, Completion)] = []
    private var plugEvents: [FirmwareEffect] = []
    private var scheduled: [(due: Duration, command: String)] = []

    /// Steering commands that may wait at one time, and packets that an endpoint keeps for a host that does not read.
    private static let mostScheduled = 256
    private static let mostPackets = 4096

    public init(core: any FirmwareCore) {
        self.core = core
    }

    /// Completions since the last call, in order.
    public func drainCompletions() -> [(TransferID, Completion)] {
        defer { completions = [] }
        return completions
    }

    /// `.unplug` and `.plug` since the last call, in order. The owner moves the node; transfers have already ended.
    public func drainPlugEvents() -> [FirmwareEffect] {
        defer { plugEvents = [] }
        return plugEvents
    }

    public var hasPendingTransfers: Bool {
        endpoints.values.contains { !$0.pending.isEmpty }
    }

    public func submitIn(_ id: TransferID, endpoint address: UInt8, capacity: Int) {
        guard isPlugged else { return completions.append((id, .gone)) }
        guard !endpoints[address, default: Endpoint()].isHalted else { return completions.append((id, .stalled)) }
        endpoints[address, default: Endpoint()].pending.append(PendingIn(id: id, capacity: capacity))
        serve(address)
    }

    public func submitOut(_ id: TransferID, endpoint address: UInt8, bytes: [UInt8], at now: Duration) {
        advance(to: now)
        guard isPlugged else { return completions.append((id, .gone)) }
        guard !endpoints[address, default: Endpoint()].isHalted else { return completions.append((id, .stalled)) }
        let effects = core.out(bytes, to: address, at: now)
        // A core that begins by leaving or by halting this endpoint has not taken the transfer.
        switch effects.first {
        case .unplug: completions.append((id, .gone))
        case .halt(address): completions.append((id, .stalled))
        default: completions.append((id, .done([])))
        }
        apply(effects)
    }

    public func submitControl(_ id: TransferID, setup: SetupPacket, data: [UInt8], at now: Duration) {
        advance(to: now)
        guard isPlugged else { return completions.append((id, .gone)) }
        let reply: ControlReply
        if setup.requestType & 0x60 == 0 {
            reply = standardRequest(setup)
        } else {
            let answer = core.control(setup, data: data, at: now)
            reply = answer.reply
            apply(answer.effects)
        }
        switch reply {
        case .data(let bytes): completions.append((id, .done(Array(bytes.prefix(Int(setup.length))))))
        case .accepted: completions.append((id, .done([])))
        case .stall: completions.append((id, .stalled))
        }
    }

    /// Takes a transfer back. False when it has already completed (its completion stands) or was never known.
    public func cancel(_ id: TransferID) -> Bool {
        takeBack(id) != nil
    }

    /// Takes a transfer back and answers the bytes that had arrived for it; nil where `cancel` is false.
    public func takeBack(_ id: TransferID) -> [UInt8]? {
        for address in endpoints.keys {
            if let index = endpoints[address]?.pending.firstIndex(where: { $0.id == id }) {
                return endpoints[address]?.pending.remove(at: index).received
            }
        }
        return nil
    }

    public func clearHalt(_ address: UInt8) {
        endpoints[address, default: Endpoint()].isHalted = false
        core.haltCleared(on: address)
        serve(address)
    }

    /// The host reset the port: halts are gone, and the device keeps its number.
    public func busReset() {
        for address in endpoints.keys.sorted() where endpoints[address]?.isHalted == true { clearHalt(address) }
    }

    /// Lets the core and the scheduled commands do what is due, in the order of their times.
    public func advance(to now: Duration) {
        while let next = scheduled.first, next.due <= now {
            scheduled.removeFirst()
            apply(core.advance(to: next.due))
            _ = perform(next.command, at: next.due)
        }
        apply(core.advance(to: now))
    }

    public var nextDue: Duration? {
        [core.nextDue, scheduled.first?.due].compactMap(\.self).min()
    }

    /// Passes a steering command to the core. Understood here: `unplug`, `plug`, and `after MS COMMAND`, which carries
    /// out COMMAND that many milliseconds later (a complaint about it is then lost).
    public func steer(_ command: String, at now: Duration) -> String? {
        advance(to: now)
        let words = command.split(separator: " ", maxSplits: 2)
        guard words.first == "after" else { return perform(command, at: now) }
        guard words.count == 3, let delay = Int(words[1]), (0...86_400_000).contains(delay) else {
            return "`after` needs milliseconds and a command"
        }
        guard scheduled.count < Self.mostScheduled else { return "too many commands are waiting" }
        let due = now + .milliseconds(delay)
        let index = scheduled.firstIndex { $0.due > due } ?? scheduled.endIndex
        scheduled.insert((due, String(words[2])), at: index)
        return nil
    }

    private func perform(_ command: String, at now: Duration) -> String? {
        switch command {
        case "unplug":
            apply([.unplug])
            return nil
        case "plug":
            apply([.plug])
            return nil
        default:
            let (complaint, effects) = core.steer(command, at: now)
            apply(effects)
            return complaint
        }
    }

    private func apply(_ effects: [FirmwareEffect]) {
        for effect in effects {
            switch effect {
            case .data(let address, let bytes, let zeroLengthPacket):
                guard isPlugged else { continue }
                enqueue(bytes, on: address, zeroLengthPacket: zeroLengthPacket)
                serve(address)
            case .halt(let address):
                guard isPlugged else { continue }
                halt(address)
            case .unplug:
                guard isPlugged else { continue }
                leave()
            case .plug:
                guard !isPlugged else { continue }
                isPlugged = true
                core.powerCycled()
                plugEvents.append(.plug)
            }
        }
    }

    private func enqueue(_ bytes: [UInt8], on address: UInt8, zeroLengthPacket: Bool) {
        let size = max(1, core.descriptors.maxPacketSize(of: address) ?? 64)
        var packets: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + size, bytes.count)
            packets.append(Array(bytes[start..<end]))
            start = end
        }
        if bytes.isEmpty || (zeroLengthPacket && bytes.count % size == 0) {
            packets.append([])
        }
        let room = max(0, Self.mostPackets - endpoints[address, default: Endpoint()].packets.count)
        endpoints[address, default: Endpoint()].packets += packets.prefix(room)
    }

    /// Hands queued packets to waiting transfers. A transfer ends when its buffer is full or a short packet arrives.
    private func serve(_ address: UInt8) {
        guard var endpoint = endpoints[address], !endpoint.isHalted else { return }
        let size = max(1, core.descriptors.maxPacketSize(of: address) ?? 64)
        while !endpoint.packets.isEmpty, !endpoint.pending.isEmpty {
            let packet = endpoint.packets.removeFirst()
            var transfer = endpoint.pending.removeFirst()
            if transfer.received.count + packet.count > transfer.capacity {
                completions.append((transfer.id, .overflow))
                continue
            }
            transfer.received += packet
            if packet.count < size || transfer.received.count == transfer.capacity {
                completions.append((transfer.id, .done(transfer.received)))
            } else {
                endpoint.pending.insert(transfer, at: 0)
            }
        }
        endpoints[address] = endpoint
    }

    private func halt(_ address: UInt8) {
        endpoints[address, default: Endpoint()].isHalted = true
        for transfer in endpoints[address]?.pending ?? [] {
            completions.append((transfer.id, .stalled))
        }
        endpoints[address]?.pending = []
    }

    private func leave() {
        isPlugged = false
        for endpoint in endpoints.values {
            for transfer in endpoint.pending {
                completions.append((transfer.id, .gone))
            }
        }
        endpoints = [:]
        plugEvents.append(.unplug)
    }

    private func standardRequest(_ setup: SetupPacket) -> ControlReply {
        switch (setup.requestType, setup.request) {
        case (0x80, 0x06):
            return descriptor(type: UInt8(setup.value >> 8), index: Int(setup.value & 0xFF))
        case (0x80, 0x00), (0x81, 0x00), (0x82, 0x00):
            return .data([0, 0])
        case (0x00, 0x09), (0x01, 0x0B):
            return .accepted
        case (0x02, 0x01):
            clearHalt(UInt8(truncatingIfNeeded: setup.index))
            return .accepted
        default:
            return .stall
        }
    }

    private func descriptor(type: UInt8, index: Int) -> ControlReply {
        switch type {
        case 0x01: return .data(core.descriptors.device)
        case 0x02: return .data(core.descriptors.configuration)
        case 0x03 where index == 0: return .data([4, 0x03, 0x09, 0x04])
        case 0x03 where index <= core.descriptors.strings.count:
            let units = core.descriptors.strings[index - 1].utf16.prefix(126)
            return .data([UInt8(2 + units.count * 2), 0x03] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        default: return .stall
        }
    }
}
