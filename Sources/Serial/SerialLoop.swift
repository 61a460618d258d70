import Glibc
import Synchronization
internal import Transport

/// The one thread that reads and writes all ports, enforces the deadlines of their waits and hears cancels. It waits in
/// poll(2), with relative times.
final class SerialLoop: Sendable {
    private struct State {
        var channels: [ByteChannel] = []
        /// When the thread looks next of its own accord.
        var horizon = MonotonicInstant(nanoseconds: 0)
        var isStopping = false
        var hasStopped = false
        var waitingForStop: [CheckedContinuation<Void, Never>] = []
    }

    /// Read from one port in a turn, bytes, so that a fast one holds up no other.
    static let readSize = 16_384
    private static let idleWait = Duration.seconds(60)

    private let state = Mutex(State())
    private let pipe: WakePipe

    /// Starts the thread, which keeps the loop alive until `stop()`.
    init() throws(TransportError) {
        pipe = try WakePipe()
        try PlainThread.start(named: "serial") { self.run() }
    }

    /// False when the loop is stopping.
    func add(_ channel: ByteChannel) -> Bool {
        let isWelcome = state.withLock { state in
            if !state.isStopping { state.channels.append(channel) }
            return !state.isStopping
        }
        if isWelcome { pipe.wake() }
        return isWelcome
    }

    func wake() {
        pipe.wake()
    }

    /// A wait with this deadline has begun: the thread must not sleep beyond it.
    func note(_ deadline: Deadline) {
        let isSooner = state.withLock { state in
            defer { state.horizon = min(state.horizon, deadline.instant) }
            return deadline.instant < state.horizon
        }
        if isSooner { pipe.wake() }
    }

    /// Asks the thread to end, without waiting. What is still open is closed first.
    func requestStop() {
        state.withLock { $0.isStopping = true }
        pipe.wake()
    }

    func stop() async {
        await withCheckedContinuation { continuation in
            let hasStopped = state.withLock { state in
                state.isStopping = true
                if !state.hasStopped { state.waitingForStop.append(continuation) }
                return state.hasStopped
            }
            if hasStopped { continuation.resume() } else { pipe.wake() }
        }
    }

    private func run() {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readSize, alignment: 16)
        while serveAndWait(buffer) {}
        buffer.deallocate()
        let waiting = state.withLock { state in
            state.hasStopped = true
            defer { state.waitingForStop = [] }
            return state.waitingForStop
        }
        for continuation in waiting { continuation.resume() }
    }

    /// One turn. False when the thread is to end.
    private func serveAndWait(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        let clock = SystemMonotonicClock.shared
        let now = clock.now()
        let (channels, isStopping) = state.withLock { state in
            state.horizon = now.advanced(by: Self.idleWait)
            return (state.channels, state.isStopping)
        }
        if isStopping {
            for channel in channels { channel.askToClose() }
        }
        var open: [ByteChannel] = []
        var polled = [pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)]
        for channel in channels {
            guard let interest = channel.serve(at: now) else { continue }
            open.append(channel)
            polled.append(pollfd(fd: interest.descriptor, events: interest.events, revents: 0))
            polled.append(pollfd(fd: interest.watch, events: Int16(POLLIN), revents: 0))
            if let deadline = interest.deadline { state.withLock { $0.horizon = min($0.horizon, deadline) } }
        }
        if open.count < channels.count {
            let left = Set(channels.map { ObjectIdentifier($0) }).subtracting(open.map { ObjectIdentifier($0) })
            state.withLock { $0.channels.removeAll { left.contains(ObjectIdentifier($0)) } }
        }
        if isStopping { return false }
        let span = clock.now().duration(to: state.withLock { $0.horizon })
        guard poll(&polled, nfds_t(polled.count), span.pollMilliseconds) > 0 else { return true }
        if polled[0].revents != 0 { pipe.drain() }
        for (index, channel) in open.enumerated() {
            let (own, watch) = (polled[1 + 2 * index].revents, polled[2 + 2 * index].revents)
            if own != 0 || watch != 0 { channel.handle(own, watch: watch, buffer) }
        }
        return true
    }
}
