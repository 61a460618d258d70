internal import Transport

/// What a connection knows of itself, kept under its lock. Pure bookkeeping: no call leaves from here.
struct ConnectionState {
    enum Phase {
        case open, closing, closed
    }

    private(set) var phase = Phase.open
    var isGone = false
    /// Operations between their start and their end, transfers and blocking calls alike.
    private var operations = 0
    private var idleSlots: [TransferSlot] = []
    private(set) var busySlots: [ObjectIdentifier: TransferSlot] = [:]
    private var closers: [CheckedContinuation<Void, Never>] = []

    /// Idle slots kept for reuse; more than this are freed after use.
    private static let keptSlots = 8

    mutating func begin(_ operation: String) throws(TransportError) {
        if phase != .open { throw TransportError(.closed, during: operation) }
        if isGone { throw TransportError(.gone, during: operation) }
        operations += 1
    }

    /// A slot with room for `capacity` bytes that has served before.
    mutating func takeIdleSlot(capacity: Int) -> TransferSlot? {
        guard let index = idleSlots.firstIndex(where: { $0.memory.capacity >= capacity }) else { return nil }
        let slot = idleSlots.remove(at: index)
        busySlots[ObjectIdentifier(slot)] = slot
        return slot
    }

    mutating func adopt(_ slot: TransferSlot) {
        busySlots[ObjectIdentifier(slot)] = slot
    }

    /// Takes a slot back. Returns one that is to be forgotten for good, if there are too many.
    mutating func giveBack(_ slot: TransferSlot) -> TransferSlot? {
        busySlots[ObjectIdentifier(slot)] = nil
        idleSlots.append(slot)
        return idleSlots.count > Self.keptSlots ? idleSlots.removeFirst() : nil
    }

    /// Ends an operation. True when it was the last one of a connection that is closing: the caller then closes it.
    mutating func end() -> Bool {
        operations -= 1
        return phase == .closing && operations == 0
    }

    /// Registers a caller of close. Returns false when it is closed already. `isReady`: nothing is in flight and this
    /// caller is the first, so it closes.
    mutating func beginClosing(_ closer: CheckedContinuation<Void, Never>) -> (mustWait: Bool, isReady: Bool) {
        guard phase != .closed else { return (false, false) }
        closers.append(closer)
        guard phase == .open else { return (true, false) }
        phase = .closing
        return (true, operations == 0)
    }

    /// Everything is released: gives back who waits for that, and the slots.
    mutating func finishClosing() -> (closers: [CheckedContinuation<Void, Never>], slots: [TransferSlot]) {
        phase = .closed
        defer {
            closers = []
            idleSlots = []
        }
        return (closers, idleSlots)
    }

    var allSlots: [TransferSlot] { idleSlots + busySlots.values }
}
