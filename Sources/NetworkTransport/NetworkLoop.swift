import Glibc
import Synchronization
public import Transport

/// One thread that serves every connection and port made with it: non-blocking sockets behind one poll(2). Waits have
/// their deadlines on the monotonic clock, so a shifted wall clock changes nothing.
public final class NetworkLoop: Sendable {
    private enum Arrival: Sendable {
        case connection(NetworkConnection, [SocketAddress], TLSContext?)
        case listener(NetworkListener)
    }

    private struct State {
        var arrivals: [Arrival] = []
        var isStopping = false
    }

    private let clock: any MonotonicClock
    private let state = Mutex(State())
    private let pipe: WakePipe

    /// - Parameter clock: counts the deadlines; that of the system outside of tests.
    /// - Throws: `failed` when there are no descriptors or threads left.
    public init(named name: String, clock: any MonotonicClock) throws(NetworkError) {
        self.clock = clock
        do throws(TransportError) {
            pipe = try WakePipe()
        } catch {
            throw NetworkError(.failed, "\(error)")
        }
        do throws(TransportError) {
            // The thread keeps the loop alive until `stop()`.
            try PlainThread.start(named: name) { self.run() }
        } catch {
            throw NetworkError(.failed, "\(error)")
        }
    }

    /// Connects, and agrees on TLS when it is asked for. When it throws, nothing that could be a message has left.
    public func connect(
        to endpoint: Endpoint, tls: TLSClientSettings? = nil, until deadline: Deadline
    ) async throws(NetworkError) -> NetworkConnection {
        guard !Task.isCancelled else { throw NetworkError(.cancelled, "cancelled before connecting") }
        var context: TLSContext?
        if let tls { context = try TLSContext(tls, connectingTo: endpoint.host) }
        let addresses = try await resolve(endpoint, until: deadline)
        let connection = NetworkConnection(clock: clock) { self.pipe.wake() }
        guard arrive(.connection(connection, addresses, context)) else { throw Self.stopped }
        switch await connection.ready.wait(until: deadline, on: clock) {
        case .value(let result):
            try result.get()
            return connection
        case .timedOut:
            connection.requestClose()
            throw NetworkError(.timedOut, "no connection in time")
        case .cancelled:
            connection.requestClose()
            throw NetworkError(.cancelled, "cancelled while connecting")
        }
    }

    /// Listens; each connection is handed to `accepted`, on the loop's thread, which must not be kept waiting.
    public func listen(
        on endpoint: Endpoint, limit: Int = 256, tls: TLSServerSettings? = nil,
        accepted: @escaping @Sendable (NetworkConnection) -> Void
    ) throws(NetworkError) -> NetworkListener {
        var context: TLSContext?
        if let tls { context = try TLSContext(tls) }
        return try listen(on: endpoint, limit, context, .connection(accepted))
    }

    /// Listens; the socket of each connection, non-blocking, is handed over, on the loop's thread. Whoever gets it closes
    /// it.
    package func listen(
        on endpoint: Endpoint, handingOver: @escaping @Sendable (Int32) -> Void
    ) throws(NetworkError) -> NetworkListener {
        try listen(on: endpoint, .max, nil, .descriptor(handingOver))
    }

    private func listen(
        on endpoint: Endpoint, _ limit: Int, _ context: TLSContext?, _ accepted: NetworkListener.Accepted
    ) throws(NetworkError) -> NetworkListener {
        let listener = try NetworkListener(
            endpoint, limit: limit, context: context, wakeLoop: { self.pipe.wake() }, accepted: accepted)
        guard arrive(.listener(listener)) else {
            close(listener.descriptor)
            throw Self.stopped
        }
        return listener
    }

    /// Ends everything that was made with it, and the thread. What waits ends with `closed`.
    public func stop() {
        state.withLock { $0.isStopping = true }
        pipe.wake()
    }

    private static let stopped = NetworkError(.closed, "the network loop has been stopped")

    private func arrive(_ arrival: Arrival) -> Bool {
        let isWelcome = state.withLock { state in
            if !state.isStopping { state.arrivals.append(arrival) }
            return !state.isStopping
        }
        if isWelcome { pipe.wake() }
        return isWelcome
    }

    /// Looking a name up blocks, for as long as it likes, and so has a thread of its own.
    private func resolve(_ endpoint: Endpoint, until deadline: Deadline) async throws(NetworkError) -> [SocketAddress] {
        let numeric = SocketAddress.resolve(endpoint, numericOnly: true)
        guard numeric.isEmpty else { return numeric }
        let answer = Rendezvous<[SocketAddress]>()
        do throws(TransportError) {
            try PlainThread.start(named: "resolve") {
                answer.settle(SocketAddress.resolve(endpoint, numericOnly: false))
            }
        } catch {
            throw NetworkError(.failed, "\(error)")
        }
        switch await answer.wait(until: deadline, on: clock) {
        case .value(let addresses) where addresses.isEmpty:
            throw NetworkError(.unresolved, "the name '\(endpoint.host)' has no address")
        case .value(let addresses): return addresses
        case .timedOut: throw NetworkError(.timedOut, "the name could not be looked up in time")
        case .cancelled: throw NetworkError(.cancelled, "cancelled while looking the name up")
        }
    }
}

extension NetworkLoop {
    private func run() {
        var channels: [Channel] = []
        var listeners: [NetworkListener] = []
        while true {
            let (arrivals, isStopping) = state.withLock { state in
                defer { state.arrivals = [] }
                return (state.arrivals, state.isStopping)
            }
            for arrival in arrivals {
                switch arrival {
                case .connection(let connection, let addresses, let context):
                    channels.append(Channel(connection, to: addresses, context))
                case .listener(let listener): listeners.append(listener)
                }
            }
            for listener in listeners where isStopping || listener.isStopping { close(listener.descriptor) }
            listeners.removeAll { isStopping || $0.isStopping }
            for channel in channels {
                if isStopping { channel.end(Self.stopped) } else { channel.serve() }
            }
            channels.removeAll(where: \.isOver)
            if isStopping { return }
            wait(for: &channels, listeners)
        }
    }

    private func wait(for channels: inout [Channel], _ listeners: [NetworkListener]) {
        var polled = [pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)]
        polled += listeners.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        polled += channels.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        guard poll(&polled, nfds_t(polled.count), -1) > 0 else { return }
        if polled[0].revents != 0 { pipe.drain() }
        for (entry, channel) in zip(polled.dropFirst(1 + listeners.count), channels) where entry.revents != 0 {
            channel.handle(entry.revents)
        }
        for (entry, listener) in zip(polled.dropFirst(), listeners) where entry.revents != 0 {
            accept(from: listener, into: &channels)
        }
    }

    private func accept(from listener: NetworkListener, into channels: inout [Channel]) {
        while true {
            let descriptor = Glibc.accept(listener.descriptor, nil, nil)
            guard descriptor >= 0 else {
                if errno == EINTR { continue }
                // Out of descriptors: look again soon, but not at once.
                if errno == EMFILE || errno == ENFILE { pipe.wait(atMost: .milliseconds(20)) }
                return
            }
            guard channels.count < listener.limit, Self.prepare(descriptor) else {
                close(descriptor)
                continue
            }
            switch listener.accepted {
            case .connection(let accepted):
                let connection = NetworkConnection(clock: clock) { self.pipe.wake() }
                channels.append(Channel(connection, accepted: descriptor, listener.context))
                accepted(connection)
            case .descriptor(let accepted): accepted(descriptor)
            }
        }
    }

    /// Non-blocking, and not passed on to other programs. (accept4 would do it at once; Swift does not see it.)
    private static func prepare(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
            && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    }
}
