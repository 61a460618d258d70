import Synchronization
internal import Transport

/// Bytes between the task that reads ahead and whoever receives: bounded, in order, and what has arrived is never lost to
/// a cancel or a deadline.
final class InboundBytes: Sendable {
    fileprivate struct State {
        var bytes: [UInt8] = []
        var start = 0
        var ending: TransportError?
        /// Grows with every change that somebody may wait for.
        var version: UInt64 = 0
        var lastTicket: UInt64 = 0
        var sleepers: [UInt64: CheckedContinuation<Void, Never>] = [:]

        var count: Int { bytes.count - start }
    }

    /// The reader stops when so many bytes wait, and the device's own flow control holds it back.
    static let limit = 65_536

    private let state = Mutex(State())

    /// Adds what has arrived. It may go beyond the limit by one transfer.
    func append(_ more: [UInt8]) {
        guard !more.isEmpty else { return }
        change { state in
            guard state.ending?.code != .closed else { return }
            state.bytes += more
        }
    }

    /// No more will come. What is there can still be taken, except after `.closed`. The first ending stays, but `.closed`
    /// comes after everything.
    func end(_ error: TransportError) {
        change { state in
            if error.code == .closed {
                state.discard()
                state.ending = error
            } else if state.ending == nil {
                state.ending = error
            }
        }
    }

    /// Why nothing more will come.
    var ending: TransportError? { state.withLock { $0.ending } }

    func discard() {
        change { $0.discard() }
    }

    /// Returns when there is room; false when it is over.
    func waitForRoom() async -> Bool {
        while true {
            let (version, hasRoom, isOver) = state.withLock { state in
                (state.version, state.count < Self.limit, state.ending != nil)
            }
            if isOver || Task.isCancelled { return false }
            if hasRoom { return true }
            await sleep(unless: version)
        }
    }

    /// At least one byte and at most `count`.
    func take(
        atMost count: Int, until deadline: Deadline, on clock: any MonotonicClock
    ) async throws(TransportError) -> [UInt8] {
        if Task.isCancelled { throw TransportError(.cancelled, during: "receive") }
        if deadline.hasPassed(on: clock), ending == nil { throw TransportError(.timedOut, during: "receive") }
        while true {
            let (version, taken, ending) = state.withLock { state in
                (state.version, state.take(atMost: count), state.ending)
            }
            if !taken.isEmpty {
                wake()
                return taken
            }
            if let ending { throw ending }
            if count <= 0 { return [] }
            if Task.isCancelled { throw TransportError(.cancelled, during: "receive") }
            if deadline.hasPassed(on: clock) { throw TransportError(.timedOut, during: "receive") }
            await pause(version, until: deadline, on: clock)
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        wake()
    }

    private func wake() {
        let sleepers = state.withLock { state in
            state.version &+= 1
            defer { state.sleepers = [:] }
            return Array(state.sleepers.values)
        }
        for sleeper in sleepers { sleeper.resume() }
    }

    private func pause(_ version: UInt64, until deadline: Deadline, on clock: any MonotonicClock) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await clock.sleep(until: deadline.instant) }
            group.addTask { await self.sleep(unless: version) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Suspends until something has changed since `version`, or the task is cancelled.
    private func sleep(unless version: UInt64) async {
        let ticket = state.withLock { state in
            state.lastTicket &+= 1
            return state.lastTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    // A cancel that came before the continuation was stored found nothing to resume.
                    if state.version != version || Task.isCancelled { return true }
                    state.sleepers[ticket] = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: ticket) }?.resume()
        }
    }
}

extension InboundBytes.State {
    /// What is taken is wiped: it may be card data.
    fileprivate mutating func take(atMost limit: Int) -> [UInt8] {
        let end = start + min(max(limit, 0), count)
        let taken = Array(bytes[start..<end])
        for index in start..<end { bytes[index] = 0 }
        start = end
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= InboundBytes.limit)
            start = 0
        } else if start >= InboundBytes.limit {
            bytes.removeFirst(start)
            start = 0
        }
        return taken
    }

    fileprivate mutating func discard() {
        _ = take(atMost: count)
    }
}
