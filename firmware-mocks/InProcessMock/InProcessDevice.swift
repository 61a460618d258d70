public import FirmwareCores
import Synchronization
public import Transport

/// A mock device in this process: a firmware core behind the bus side that every rung shares, with time from an injected
/// clock. The core's time is the clock's, counted from when the device was made.
public final class InProcessDevice: Sendable {
    /// Called for every transfer when it is submitted and when it is done, without any lock held.
    public typealias Observer = @Sendable (TransferNote) -> TransferVerdict

    /// How a transfer ended: by itself, or because its transport was closed, with what had arrived.
    enum Ending {
        case completed(PluggedDevice.Completion)
        case closed([UInt8])
    }

    struct State {
        var device: PluggedDevice
        /// Ends of transfers that their owner has not fetched yet.
        var results: [UInt64: Ending] = [:]
        var nextID: UInt64 = 1
        var nextTicket: UInt64 = 1
        /// Grows with every plug event: a transport belongs to one stay on the bus.
        var stay = 1
        /// The last plug events, and how many came before them.
        var history: [PlugEvent] = []
        var forgotten = 0
        /// Grows with every change that a waiter may wait for.
        var version: UInt64 = 0
        var sleepers: [UInt64: CheckedContinuation<Void, Never>] = [:]
        /// When each waiter will look again of its own accord.
        var wakeTimes: [UInt64: MonotonicInstant] = [:]
        var counts: [TransferNote.Kind: Int] = [:]
        var observer: Observer?
    }

    let clock: any MonotonicClock
    let start: MonotonicInstant
    private let state: Mutex<State>
    private static let rememberedEvents = 64

    public init(core: sending any FirmwareCore, clock: any MonotonicClock) {
        self.clock = clock
        start = clock.now()
        state = Mutex(State(device: PluggedDevice(core: core)))
    }

    /// A connection to the device as it is on the bus now. When it leaves, the connection stays gone; open a new one
    /// after it has come back.
    public func open() -> InProcessTransport {
        let (stay, descriptors) = withState { ($0.device.isPlugged ? $0.stay : 0, $0.device.core.descriptors) }
        return InProcessTransport(device: self, stay: stay, descriptors: descriptors)
    }

    public var isPlugged: Bool { withState { $0.device.isPlugged } }

    public var descriptors: DeviceDescriptors { withState { $0.device.core.descriptors } }

    /// Gives the device a steering command (`unplug`, `plug`, `after MS COMMAND`, or one of the core's). Answers nil on
    /// success, else what was wrong.
    public func steer(_ command: String) -> String? {
        let now = coreTime()
        return withState { $0.device.steer(command, at: now) }
    }

    /// Looks at the core under the lock. Keep it short, and let nothing of the core escape.
    public func withCore<Result: Sendable>(_ body: (any FirmwareCore) -> Result) -> Result {
        withState { body($0.device.core) }
    }

    /// Transfers of one kind submitted so far.
    public func transfers(_ kind: TransferNote.Kind) -> Int {
        withState { $0.counts[kind, default: 0] }
    }

    /// Watches, and can tamper with, every transfer from now on; nil stops it.
    public func onTransfer(_ observer: Observer?) {
        withState { $0.observer = observer }
    }

    /// Plug events from now on, none left out unless the reader falls more than 64 behind. Time goes on for the device
    /// while somebody waits for the next one. Ends when the reading task is cancelled.
    public func events() -> AsyncStream<PlugEvent> {
        let position = Mutex(withState { $0.forgotten + $0.history.count })
        return AsyncStream { await self.event(after: position) }
    }

    /// Waits until the device is on the bus, or off it. False when the deadline passed or the task was cancelled.
    public func wait(plugged: Bool, until deadline: Deadline) async -> Bool {
        let ticket = makeTicket()
        defer { retire(ticket) }
        while true {
            let version = advance()
            if isPlugged == plugged { return true }
            if Task.isCancelled || deadline.hasPassed(on: clock) { return false }
            await pause(ticket, version: version, until: deadline)
        }
    }

    private func event(after position: borrowing Mutex<Int>) async -> PlugEvent? {
        let ticket = makeTicket()
        defer { retire(ticket) }
        while !Task.isCancelled {
            let version = advance()
            let next = position.withLock { index in
                withState { state -> PlugEvent? in
                    index = max(index, state.forgotten)
                    guard index - state.forgotten < state.history.count else { return nil }
                    index += 1
                    return state.history[index - 1 - state.forgotten]
                }
            }
            if let next { return next }
            await pause(ticket, version: version, until: nil)
        }
        return nil
    }

    func coreTime() -> Duration {
        start.duration(to: clock.now())
    }

    /// Runs under the lock, takes in what the device did, and wakes whoever may be waiting for it.
    func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, awake) = state.withLock { state in
            let due = state.device.nextDue
            let result = body(&state)
            return (result, Self.collect(&state, dueBefore: due))
        }
        for sleeper in awake { sleeper.resume() }
        return result
    }

    private static func collect(
        _ state: inout State, dueBefore: Duration?
    ) -> [CheckedContinuation<Void, Never>] {
        let completions = state.device.drainCompletions()
        let events = state.device.drainPlugEvents()
        for (id, completion) in completions { state.results[id] = .completed(completion) }
        for event in events {
            state.history.append(event == .unplug ? .unplugged : .plugged)
            if event == .plug { state.stay += 1 }
        }
        if state.history.count > rememberedEvents {
            let surplus = state.history.count - rememberedEvents
            state.history.removeFirst(surplus)
            state.forgotten += surplus
        }
        let isChanged = !completions.isEmpty || !events.isEmpty || state.device.nextDue != dueBefore
        guard isChanged else { return [] }
        return wakeAll(&state)
    }

    static func wakeAll(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        state.version &+= 1
        defer { state.sleepers = [:] }
        return Array(state.sleepers.values)
    }
}
