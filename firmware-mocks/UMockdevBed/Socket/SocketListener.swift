import Glibc

/// A listening stream socket in the file system. Close-on-exec and non-blocking.
public struct SocketListener: Sendable {
    public let descriptor: Int32
    public let path: String

    public init(path: String) throws(MockBusError) {
        guard path.utf8.count < SocketAddress.maximumPathLength else {
            throw .refused("\(path) is too long for a socket")
        }
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(AF_UNIX, Int32(kind), 0)
        guard descriptor >= 0 else { throw .current("cannot make a socket") }
        let bound = SocketAddress(path: path).withPointer { bind(descriptor, $0, $1) }
        guard bound == 0, listen(descriptor, 16) == 0 else {
            let error = MockBusError.current("cannot listen on \(path)")
            Glibc.close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
    }

    /// The next waiting connection, close-on-exec; nil when there is none.
    public func accept() -> Int32? {
        while true {
            let connection = Glibc.accept(descriptor, nil, nil)
            if connection >= 0 {
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                return connection
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// First the file, then the socket: a client must never find a file that nobody listens on.
    public func close() {
        unlink(path)
        Glibc.close(descriptor)
    }
}
