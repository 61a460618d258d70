import Synchronization
public import Transport

/// A line with a loop-back plug on it: what is sent comes back, RTS shows as CTS, DTR as DSR and DCD. It keeps every
/// setting. For trying out other software without a reader.
public final class LoopbackLine: SerialLine {
    private struct State: Sendable {
        var settings: SerialSettings
        var outputs: ModemOutputs = [.dtr, .rts]
        var isBreakOn = false
        var bytes: [UInt8] = []
        var isClosed = false
        var lastID: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    /// Bytes that are on their way; more are not taken until some are received.
    static let limit = 16_384

    public let traits = TransportTraits(packetSize: 1, hasEvents: false, hasControl: false)
    private let clock: any MonotonicClock
    private let state: Mutex<State>

    public init(_ settings: SerialSettings, clock: any MonotonicClock) {
        self.clock = clock
        state = Mutex(State(settings: settings))
    }

    public func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        var rest = bytes[...]
        while true {
            try check("send", deadline)
            let taken = state.withLock { state in
                let part = rest.prefix(max(0, Self.limit - state.bytes.count))
                // Nothing is heard of what is sent during a break.
                if !state.isBreakOn { state.bytes += part }
                return part.count
            }
            rest = rest.dropFirst(taken)
            wakeAll()
            if rest.isEmpty { return }
            await wait(until: deadline) { $0.bytes.count < Self.limit }
        }
    }

    public func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        guard count > 0 else { return [] }
        while true {
            try check("receive", deadline)
            let bytes = state.withLock { state in
                defer { state.bytes.removeFirst(min(count, state.bytes.count)) }
                return Array(state.bytes.prefix(count))
            }
            if !bytes.isEmpty {
                wakeAll()
                return bytes
            }
            await wait(until: deadline) { !$0.bytes.isEmpty }
        }
    }

    public func receiveEvent(until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        throw TransportError(.unsupported, during: "receive event")
    }

    public func control(_ request: ControlRequest, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        throw TransportError(.unsupported, during: "control")
    }

    public func clearStall(_ direction: TransportDirection, until deadline: Deadline) async throws(TransportError) {}

    public func close() async {
        state.withLock { $0.isClosed = true }
        wakeAll()
    }

    private func check(_ operation: String, _ deadline: Deadline) throws(TransportError) {
        if Task.isCancelled { throw TransportError(.cancelled, during: operation) }
        if state.withLock({ $0.isClosed }) { throw TransportError(.closed, during: operation) }
        if deadline.hasPassed(on: clock) { throw TransportError(.timedOut, during: operation) }
    }

    /// Returns when something has changed, or `deadline` is over, or the task is cancelled.
    private func wait(until deadline: Deadline, for condition: @escaping @Sendable (State) -> Bool) async {
        let clock = clock
        await withTaskGroup { group in
            group.addTask { await self.change(unless: condition) }
            group.addTask { await clock.sleep(until: deadline.instant) }
            await group.next()
            group.cancelAll()
        }
    }

    private func change(unless condition: @Sendable (State) -> Bool) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if condition(state) || state.isClosed || Task.isCancelled { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }

    private func wakeAll() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values.map { $0 }
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Settings and modem lines.
extension LoopbackLine {
    public func configure(
        _ settings: SerialSettings, until deadline: Deadline
    ) async throws(TransportError) -> SerialSettings {
        try check("set the line", deadline)
        state.withLock { $0.settings = settings }
        return settings
    }

    public func settings(until deadline: Deadline) async throws(TransportError) -> SerialSettings {
        try check("read the settings", deadline)
        return state.withLock { $0.settings }
    }

    public func modemLines(until deadline: Deadline) async throws(TransportError) -> ModemLines {
        try check("read the modem lines", deadline)
        let outputs = state.withLock { $0.outputs }
        var inputs: ModemInputs = outputs.contains(.dtr) ? [.dsr, .dcd] : []
        if outputs.contains(.rts) { inputs.insert(.cts) }
        return ModemLines(outputs: outputs, inputs: inputs)
    }

    public func set(
        raised: ModemOutputs, lowered: ModemOutputs, until deadline: Deadline
    ) async throws(TransportError) {
        try check("set the modem lines", deadline)
        state.withLock { $0.outputs = $0.outputs.subtracting(lowered).union(raised) }
    }

    public func setBreak(_ isOn: Bool, until deadline: Deadline) async throws(TransportError) {
        try check("break", deadline)
        state.withLock { $0.isBreakOn = isOn }
    }

    public func drain(until deadline: Deadline) async throws(TransportError) {
        try check("drain", deadline)
    }

    /// What was sent is received at once, so both buffers are the same one.
    public func purge(_ buffers: SerialBuffers, until deadline: Deadline) async throws(TransportError) {
        try check("purge", deadline)
        if !buffers.isEmpty { state.withLock { $0.bytes = [] } }
        wakeAll()
    }
}
