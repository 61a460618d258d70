import Glibc
import Synchronization

/// A TCP port that is listened on.
public final class NetworkListener: Sendable {
    /// What becomes of a connection: the loop serves it, or somebody else takes the non-blocking socket.
    enum Accepted: Sendable {
        case connection(@Sendable (NetworkConnection) -> Void)
        case descriptor(@Sendable (Int32) -> Void)
    }

    /// Where it listens; the port is the real one.
    public let endpoint: Endpoint
    let descriptor: Int32
    /// Connections at a time; more are closed as soon as they are made.
    let limit: Int
    let context: TLSContext?
    let accepted: Accepted
    private let mustStop = Mutex(false)
    private let wakeLoop: @Sendable () -> Void

    init(
        _ endpoint: Endpoint, limit: Int, context: TLSContext?, wakeLoop: @escaping @Sendable () -> Void,
        accepted: Accepted
    ) throws(NetworkError) {
        guard
            let address = SocketAddress.resolve(endpoint, numericOnly: endpoint.host != "localhost", passive: true)
                .first
        else { throw NetworkError(.setting, "the address to listen on must be numeric") }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, type, 0)
        guard descriptor >= 0 else { throw NetworkError(.failed, Channel.text(errno)) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard address.with({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 128) == 0,
            let bound = SocketAddress(of: descriptor), let real = Endpoint(host: endpoint.host, port: bound.port)
        else {
            let problem = Channel.text(errno)
            close(descriptor)
            throw NetworkError(.unavailable, problem)
        }
        self.endpoint = real
        self.descriptor = descriptor
        self.limit = limit
        self.context = context
        self.wakeLoop = wakeLoop
        self.accepted = accepted
    }

    /// Stops listening; connections that were made stay.
    public func stop() {
        mustStop.withLock { $0 = true }
        wakeLoop()
    }

    var isStopping: Bool { mustStop.withLock { $0 } }
}
