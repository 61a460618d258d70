import Synchronization
public import Transport

/// A TCP connection, with TLS or without, as a pipe of bytes. One task receives at a time; sends are queued in order.
///
/// Bytes that have arrived are never dropped: a receive that was cancelled or ran out of time leaves them for the next.
/// The other side's close and every break end all waits with `closed`.
public final class NetworkConnection: Sendable {
    struct Outgoing: Sendable {
        let id: UInt64
        let bytes: [UInt8]
        let ending: Rendezvous<Result<Void, NetworkError>>
    }

    private struct State {
        var inbound: [UInt8] = []
        var receiver: Rendezvous<Void>?
        var queue: [Outgoing] = []
        /// Taken by the loop, and not through yet.
        var current: Outgoing?
        /// A byte of `current` is out.
        var hasBegun = false
        var lastID: UInt64 = 0
        var ending: NetworkError?
        var mustClose = false
        var closers: [Rendezvous<Void>] = []
    }

    /// More than this is left in the kernel until somebody receives.
    static let inboundLimit = 65_536

    private let clock: any MonotonicClock
    private let state = Mutex(State())
    private let wakeLoop: @Sendable () -> Void
    let ready = Rendezvous<Result<Void, NetworkError>>()

    init(clock: any MonotonicClock, wakeLoop: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.wakeLoop = wakeLoop
    }

    /// Sends all bytes. When it throws, `mayHaveLeft` says whether any of them may be on their way.
    public func send(_ bytes: [UInt8], until deadline: Deadline) async throws(NetworkError) {
        guard !Task.isCancelled else { throw NetworkError(.cancelled, "cancelled before anything was sent") }
        let ending = Rendezvous<Result<Void, NetworkError>>()
        let (id, over): (UInt64, NetworkError?) = state.withLock { state in
            if let over = state.ending { return (0, over) }
            state.lastID &+= 1
            state.queue.append(Outgoing(id: state.lastID, bytes: bytes, ending: ending))
            return (state.lastID, nil)
        }
        if let over { throw over.having(left: false) }
        wakeLoop()
        switch await ending.wait(until: deadline, on: clock) {
        case .value(let result): try result.get()
        case .timedOut: throw withdraw(id, NetworkError(.timedOut, "the bytes could not be sent in time"))
        case .cancelled: throw withdraw(id, NetworkError(.cancelled, "cancelled while sending"))
        }
    }

    /// A message that has begun must go on, or what follows it could not be read.
    private func withdraw(_ id: UInt64, _ error: NetworkError) -> NetworkError {
        state.withLock { state in
            guard let place = state.queue.firstIndex(where: { $0.id == id }) else { return error.having(left: true) }
            state.queue.remove(at: place)
            return error.having(left: false)
        }
    }

    /// At least one byte, as many as are there. Nil waits without a limit.
    public func receive(until deadline: Deadline?) async throws(NetworkError) -> [UInt8] {
        while true {
            let signal = Rendezvous<Void>()
            let (bytes, over): ([UInt8], NetworkError?) = state.withLock { state in
                if !state.inbound.isEmpty {
                    defer { state.inbound = [] }
                    return (state.inbound, nil)
                }
                if state.ending == nil { state.receiver = signal }
                return ([], state.ending)
            }
            if !bytes.isEmpty {
                if bytes.count >= Self.inboundLimit { wakeLoop() }
                return bytes
            }
            if let over { throw over }
            switch await signal.wait(until: deadline, on: clock) {
            case .value: continue
            case .timedOut: throw NetworkError(.timedOut, "nothing came in time")
            case .cancelled: throw NetworkError(.cancelled, "cancelled while receiving")
            }
        }
    }

    /// Why the connection is over; nil while it is not.
    public var ending: NetworkError? { state.withLock { $0.ending } }

    /// Ends every wait with `closed` and returns when the socket is closed. May be called more than once.
    public func close() async {
        let closed = Rendezvous<Void>()
        let isOver = state.withLock { state in
            state.mustClose = true
            if state.ending == nil { state.closers.append(closed) }
            return state.ending != nil
        }
        guard !isOver else { return }
        wakeLoop()
        // In a task of its own, since the caller's may be cancelled.
        let clock = clock
        _ = await Task { await closed.wait(until: nil, on: clock) }.value
    }

    /// Asks for the end without waiting for it.
    public func requestClose() {
        state.withLock { $0.mustClose = true }
        wakeLoop()
    }
}

/// The loop's side.
extension NetworkConnection {
    var mustClose: Bool { state.withLock { $0.mustClose } }

    var wantsBytes: Bool { state.withLock { $0.inbound.count < Self.inboundLimit } }

    func deliver(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let receiver = state.withLock { state in
            state.inbound += bytes
            defer { state.receiver = nil }
            return state.receiver
        }
        receiver?.settle(())
    }

    /// The bytes that go next; nil when there are none or some are still under way.
    func takeNext() -> [UInt8]? {
        state.withLock { state in
            guard state.current == nil, !state.queue.isEmpty else { return nil }
            let next = state.queue.removeFirst()
            state.current = next
            state.hasBegun = false
            return next.bytes
        }
    }

    func currentHasBegun() {
        state.withLock { $0.hasBegun = true }
    }

    func currentIsOut() {
        let current = state.withLock { state in
            defer { state.current = nil }
            return state.current
        }
        current?.ending.settle(.success(()))
    }

    /// The end: the socket is closed.
    func finish(_ error: NetworkError) {
        let (waiting, begun, receiver, closers) = state.withLock { state in
            defer {
                state.queue = []
                state.current = nil
                state.receiver = nil
                state.closers = []
            }
            if state.ending == nil { state.ending = error }
            return (state.queue, state.current.map { ($0, state.hasBegun) }, state.receiver, state.closers)
        }
        ready.settle(.failure(error))
        if let (current, hasBegun) = begun { current.ending.settle(.failure(error.having(left: hasBegun))) }
        for outgoing in waiting { outgoing.ending.settle(.failure(error.having(left: false))) }
        receiver?.settle(())
        for closer in closers { closer.settle(()) }
    }
}
