import Glibc
import Synchronization
internal import Transport

/// An open descriptor that the loop reads and writes, with everybody who waits for it: a port, or the controlling side of
/// a pseudo terminal.
///
/// The loop alone reads, writes and decides that the other side is gone. The descriptor is closed once, when the loop has
/// let it go and no operation uses it any more; a device that has left is let go at once, so that its name is free.
final class ByteChannel: Sendable {
    typealias Release = @Sendable (_ channel: ObjectIdentifier, _ released: @escaping @Sendable () -> Void) -> Void

    enum Phase {
        case attached, detached, released
    }

    struct State {
        var channel: ChannelState
        var phase = Phase.attached
        var isClosing = false
        /// Calls on the descriptor that are under way beside the loop.
        var operations = 0
        /// Who gets the bytes in place of `receive`.
        var relay: (ByteRelay, ByteRelay.Side)?
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    let descriptor: Int32
    /// Of a pseudo terminal: tells when a program opens the other side.
    let watch: OpenWatch?
    let isSocket: Bool
    private let loop: SerialLoop
    /// Closes the descriptor of the channel named, on whatever thread may wait for that, and then calls its argument.
    private let release: Release
    let state: Mutex<State>

    init(
        _ descriptor: Int32, watch: OpenWatch? = nil, isSocket: Bool = false, loop: SerialLoop,
        release: @escaping Release
    ) {
        self.descriptor = descriptor
        self.watch = watch
        self.isSocket = isSocket
        self.loop = loop
        self.release = release
        state = Mutex(State(channel: ChannelState(isPeerThere: watch == nil)))
    }

    var isPeerThere: Bool { state.withLock { $0.channel.isPeerThere } }

    func receive(atMost count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        guard count > 0 else { return [] }
        if Task.isCancelled { throw TransportError(.cancelled, during: "receive") }
        let (bytes, wasFull) = state.withLock { state in
            let wasFull = !state.channel.wantsInput
            return (state.channel.takeInbound(atMost: count), wasFull && state.channel.wantsInput)
        }
        if wasFull { loop.wake() }
        if let bytes { return bytes }
        return try await wait(for: .receive(atMost: count), until: deadline)
    }

    func send(_ bytes: [UInt8], until deadline: Deadline) async throws(TransportError) {
        if Task.isCancelled { throw TransportError(.cancelled, during: "send") }
        guard !bytes.isEmpty else { return }
        _ = try await wait(for: .send(bytes, sent: 0), until: deadline)
    }

    func waitForPeer(isThere: Bool, until deadline: Deadline) async throws(TransportError) {
        _ = try await wait(for: .peer(isThere: isThere), until: deadline)
    }

    private func wait(
        for wish: ChannelState.Wish, until deadline: Deadline
    ) async throws(TransportError) -> [UInt8] {
        let id = state.withLock { $0.channel.newID() }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = SystemMonotonicClock.shared.now()
                let ended = state.withLock { $0.channel.begin(id, wish, until: deadline, at: now, continuation) }
                if let ended { return ended.resume() }
                if case .send = wish { loop.wake() }
                loop.note(deadline)
            }
        } onCancel: {
            state.withLock { $0.channel.cancel(id) }?.resume()
        }
        state.withLock { $0.channel.forget(id) }
        return try answer.get()
    }

    /// Begins a call on the descriptor; `endOperation` must follow. Until then it stays open.
    func beginOperation(_ operation: String, until deadline: Deadline) throws(TransportError) {
        if Task.isCancelled { throw TransportError(.cancelled, during: operation) }
        if deadline.hasPassed(on: SystemMonotonicClock.shared) { throw TransportError(.timedOut, during: operation) }
        try state.withLock { state throws(TransportError) in
            if state.isClosing { throw TransportError(.closed, during: operation) }
            if let ending = state.channel.ending { throw TransportError(ending, during: operation) }
            state.operations += 1
        }
    }

    func endOperation() {
        let isLast = state.withLock { state in
            state.operations -= 1
            return state.phase == .detached && state.operations == 0
        }
        if isLast { letGo() }
    }

    func discardInbound() {
        let wasFull = state.withLock { state in
            defer { state.channel.discardInbound() }
            return !state.channel.wantsInput
        }
        if wasFull { loop.wake() }
    }

    /// Ends every wait with `.closed` and returns when the descriptor is closed.
    func close() async {
        await withCheckedContinuation { continuation in
            let isReleased = state.withLock { state in
                state.isClosing = true
                if state.channel.ending != nil { state.channel.close() }
                if state.phase != .released { state.closers.append(continuation) }
                return state.phase == .released
            }
            if isReleased { continuation.resume() } else { loop.wake() }
        }
    }

    func askToClose() {
        state.withLock { $0.isClosing = true }
    }

    func wakeLoop() { loop.wake() }

    /// What comes goes to the relay from now on, beginning with what was read ahead.
    func join(_ relay: ByteRelay, as side: ByteRelay.Side) {
        let isOver = state.withLock { state in
            state.relay = (relay, side)
            if let ahead = state.channel.takeInbound(atMost: Int.max) {
                ahead.withUnsafeBytes { relay.cameBefore($0, from: side) }
            }
            if side == .client { relay.clientIsThere(state.channel.isPeerThere) }
            return state.phase != .attached || state.channel.ending != nil
        }
        if isOver { relay.left(self) } else { loop.wake() }
    }

    func letGo() {
        release(ObjectIdentifier(self)) { [self] in
            let closers = state.withLock { state in
                state.phase = .released
                defer { state.closers = [] }
                return state.closers
            }
            for closer in closers { closer.resume() }
        }
    }
}
