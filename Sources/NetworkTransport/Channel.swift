import Glibc

/// The socket of one connection and what is under way on it. Lives on the loop's thread only.
final class Channel {
    private enum Phase {
        case connecting
        case handshaking
        case open
    }

    let connection: NetworkConnection
    private(set) var descriptor: Int32 = -1
    private var phase = Phase.connecting
    /// Where to try next.
    private var addresses: [SocketAddress]
    private var lastProblem = "there is no address"
    private let context: TLSContext?
    private var session: TLSSession?
    /// Bytes for the wire, and how many of them are out.
    private var outbound: [UInt8] = []
    private var sent = 0
    /// `outbound` belongs to a message of the connection, and not to the handshake.
    private var carriesMessage = false
    private(set) var isOver = false

    /// To connect to the first of the addresses that answers.
    init(_ connection: NetworkConnection, to addresses: [SocketAddress], _ context: TLSContext?) {
        self.connection = connection
        self.addresses = addresses
        self.context = context
        connectToNext()
    }

    /// For a socket that was accepted.
    init(_ connection: NetworkConnection, accepted descriptor: Int32, _ context: TLSContext?) {
        self.connection = connection
        self.descriptor = descriptor
        addresses = []
        self.context = context
        isConnected()
    }

    /// What poll(2) should wait for.
    var events: Int16 {
        if phase == .connecting { return Int16(POLLOUT) }
        let wantsBytes = phase == .handshaking || connection.wantsBytes
        return (wantsBytes ? Int16(POLLIN) : 0) | (outbound.isEmpty ? 0 : Int16(POLLOUT))
    }

    /// Takes what its user asks for. Called before each wait.
    func serve() {
        guard !isOver else { return }
        if connection.mustClose {
            if phase == .open, outbound.isEmpty, let session {
                session.end()
                outbound = session.takeOutgoing()
                write()
            }
            return end(NetworkError(.closed, "this side has closed the connection"))
        }
        if phase == .open { write() }
    }

    /// Does what poll(2) has found.
    func handle(_ events: Int16) {
        guard !isOver else { return }
        if phase == .connecting {
            if events & Int16(POLLOUT | POLLERR | POLLHUP) != 0 { connectionHasMoved() }
            return
        }
        if events & Int16(POLLIN | POLLHUP | POLLERR) != 0 { read() }
        if !isOver, events & Int16(POLLOUT) != 0 { write() }
    }

    func end(_ error: NetworkError) {
        guard !isOver else { return }
        isOver = true
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        connection.finish(error)
    }
}

extension Channel {
    private func connectToNext() {
        while !addresses.isEmpty {
            let address = addresses.removeFirst()
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            descriptor = socket(address.family, type, 0)
            guard descriptor >= 0 else {
                lastProblem = Self.text(errno)
                continue
            }
            let result = address.with { connect(descriptor, $0, $1) }
            if result == 0 { return isConnected() }
            if errno == EINPROGRESS { return }
            lastProblem = Self.text(errno)
            close(descriptor)
            descriptor = -1
        }
        end(NetworkError(.unreachable, lastProblem))
    }

    private func connectionHasMoved() {
        var problem: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &length)
        guard problem != 0 else { return isConnected() }
        lastProblem = Self.text(problem)
        close(descriptor)
        descriptor = -1
        connectToNext()
    }

    private func isConnected() {
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard let context else {
            phase = .open
            connection.ready.settle(.success(()))
            return
        }
        phase = .handshaking
        do throws(NetworkError) {
            session = try TLSSession(context)
            try shakeHands()
        } catch {
            end(error)
        }
    }

    private func shakeHands() throws(NetworkError) {
        guard let session else { return }
        do throws(NetworkError) {
            if try session.handshake() {
                phase = .open
                connection.ready.settle(.success(()))
            }
        } catch {
            // The alert that tells the other side why.
            outbound += session.takeOutgoing()
            write()
            throw error
        }
        outbound += session.takeOutgoing()
        write()
    }

    private func read() {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        if count < 0 {
            if errno == EAGAIN || errno == EINTR { return }
            return end(NetworkError(.closed, Self.text(errno)))
        }
        guard count > 0 else { return end(NetworkError(.closed, "the other side has closed the connection")) }
        do throws(NetworkError) {
            try accept(chunk[..<count])
        } catch {
            end(error)
        }
    }

    private func accept(_ bytes: ArraySlice<UInt8>) throws(NetworkError) {
        guard let session else { return connection.deliver(Array(bytes)) }
        try session.feed(bytes)
        if phase == .handshaking { try shakeHands() }
        guard phase == .open else { return }
        let (plain, ending) = session.read()
        connection.deliver(plain)
        if let ending { throw ending }
    }

    private func write() {
        while !isOver {
            if outbound.isEmpty {
                guard phase == .open, let message = connection.takeNext() else { return }
                guard prepare(message) else { return }
            }
            let count = outbound[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN { return }
                return end(NetworkError(.closed, Self.text(errno)))
            }
            if count > 0, carriesMessage { connection.currentHasBegun() }
            sent += count
            guard sent == outbound.count else { continue }
            outbound = []
            sent = 0
            if carriesMessage { connection.currentIsOut() }
            carriesMessage = false
        }
    }

    private func prepare(_ message: [UInt8]) -> Bool {
        carriesMessage = true
        guard let session else {
            outbound = message
            return !message.isEmpty
        }
        do throws(NetworkError) {
            try session.write(message)
        } catch {
            end(error)
            return false
        }
        outbound = session.takeOutgoing()
        return !outbound.isEmpty
    }

    static func text(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}
