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

    private enum Phase {
        case attached, detached, released
    }

    private struct State {
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
    private let watch: OpenWatch?
    private let isSocket: Bool
    private let loop: SerialLoop
    /// Closes the descriptor of the channel named, on whatever thread may wait for that, and then calls its argument.
    private let release: Release
    private let state: Mutex<State>

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

    private func letGo() {
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

/// The loop's side.
extension ByteChannel {
    struct Interest {
        var descriptor: Int32
        var events: Int16
        var watch: Int32
        var deadline: MonotonicInstant?
    }

    /// Ends what is out of time or over. Nil when the loop must not touch the descriptor again.
    func serve(at now: MonotonicInstant) -> Interest? {
        let (ended, interest, isReady, relay): ([ChannelState.Ended], Interest?, Bool, ByteRelay?) = state.withLock {
            state in
            if state.isClosing, state.channel.ending == nil {
                let ended = state.channel.end(.closed)
                state.phase = .detached
                return (ended, nil, state.operations == 0, state.relay?.0)
            }
            if state.channel.ending != nil {
                state.phase = .detached
                return ([], nil, state.operations == 0, state.relay?.0)
            }
            let (ended, deadline) = state.channel.expire(at: now)
            var events: Int16 = 0
            if state.channel.wantsInput { events |= Int16(POLLIN) }
            if state.channel.hasOutput { events |= Int16(POLLOUT) }
            if let (relay, side) = state.relay {
                events = events & ~Int16(POLLIN) | relay.events(side)
            }
            // A pseudo terminal without a program on its other side would be "hung up" in every poll.
            let isPeerThere = state.channel.isPeerThere
            let interest = Interest(
                descriptor: isPeerThere ? descriptor : -1, events: events,
                watch: isPeerThere ? -1 : watch?.descriptor ?? -1, deadline: deadline)
            return (ended, interest, false, nil)
        }
        for wait in ended { wait.resume() }
        relay?.left(self)
        if isReady { letGo() }
        return interest
    }

    func handle(_ events: Int16, watch watchEvents: Int16, _ buffer: UnsafeMutableRawBufferPointer) {
        if watchEvents != 0 { lookForPeer(buffer) }
        guard events != 0 else { return }
        let isHungUp = Int32(events) & (POLLHUP | POLLERR | POLLNVAL) != 0
        if isHungUp || Int32(events) & POLLIN != 0 { read(isHungUp: isHungUp, buffer) }
        if !isHungUp, Int32(events) & POLLOUT != 0 { write() }
    }

    /// One read a readiness, since with VMIN 0 a second one answers 0 when there is simply nothing; after a hang-up,
    /// everything that is left.
    private func read(isHungUp: Bool, _ buffer: UnsafeMutableRawBufferPointer) {
        var zeros = 0
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 {
                deliver(count, of: buffer)
                if isHungUp { continue }
                return
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                if isHungUp { otherSideLeft(.gone, buffer) }
                return
            }
            if count < 0 { return otherSideLeft(SystemError.last.code, buffer) }
            if isHungUp { return otherSideLeft(.gone, buffer) }
            // Ready, and yet nothing: somebody else may have read or purged it. A device that has left stays "ready".
            zeros += 1
            let present = eventsNow()
            if present & (POLLHUP | POLLERR | POLLNVAL) != 0 || zeros > 1 { return otherSideLeft(.gone, buffer) }
            if present & POLLIN == 0 { return }
        }
    }

    private func deliver(_ count: Int, of buffer: UnsafeMutableRawBufferPointer) {
        // They may be card data, and the buffer is every port's.
        defer { if let start = buffer.baseAddress { explicit_bzero(start, count) } }
        let came = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        // In one step with the look at the relay: what is kept for `receive` after one has joined would be lost.
        let (ended, relay): ([ChannelState.Ended], (ByteRelay, ByteRelay.Side)?) = state.withLock { state in
            if let relay = state.relay { return ([], relay) }
            return (state.channel.deliver(came), nil)
        }
        for wait in ended { wait.resume() }
        if let (relay, side) = relay { relay.came(came, from: side) }
    }

    /// Gives bytes to the kernel. Answers how many it has taken: all, when it takes none any more, since the read that
    /// follows finds out why.
    func put(_ bytes: UnsafeRawBufferPointer) -> Int {
        while !bytes.isEmpty {
            let count =
                isSocket
                ? Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                : Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 { return count }
            if errno == EAGAIN { return 0 }
            if errno != EINTR { break }
        }
        return bytes.count
    }

    private func write() {
        if let (relay, side) = state.withLock({ $0.relay }) { relay.write(side) }
        for _ in 0..<16 {
            guard let bytes = state.withLock({ $0.channel.takeOutput() }) else { return }
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            let error = errno
            state.withLock { $0.channel.wrote(max(count, 0)) }?.resume()
            if count < 0, error == EINTR { continue }
            if count < 0, error != EAGAIN {
                // A pseudo terminal's other side is looked at by the read that follows.
                if watch == nil { end(SystemError(error).code) }
                return
            }
            if count < bytes.count { return }
        }
    }

    private func otherSideLeft(_ code: TransportError.Code, _ buffer: UnsafeMutableRawBufferPointer) {
        guard let watch else { return end(code == .failed ? .failed : .gone) }
        peerIsThere(false)
        // What the program has left unread is not for the next one.
        watch.discardUnread()
        lookForPeer(buffer)
    }

    private func peerIsThere(_ isThere: Bool) {
        let (ended, relay) = state.withLock { ($0.channel.peerIsThere(isThere), $0.relay?.0) }
        for wait in ended { wait.resume() }
        relay?.clientIsThere(isThere)
    }

    private func end(_ code: TransportError.Code) {
        for wait in state.withLock({ $0.channel.end(code) }) { wait.resume() }
    }

    /// A program that comes after the watch was emptied makes it readable again; one that came before shows in the poll.
    private func lookForPeer(_ buffer: UnsafeMutableRawBufferPointer) {
        watch?.drain()
        let events = eventsNow()
        if events & POLLHUP == 0 {
            peerIsThere(true)
        } else if events & POLLIN != 0 {
            readLeftovers(buffer)
        }
    }

    /// A program has come, written and left between two looks.
    private func readLeftovers(_ buffer: UnsafeMutableRawBufferPointer) {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                return
            }
            deliver(count, of: buffer)
        }
    }

    private func eventsNow() -> Int32 {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0 ? Int32(polled.revents) : 0
    }
}
