import Glibc

/// The address of a socket in the file system.
struct SocketAddress {
    /// Bytes of a path, the NUL included.
    static let maximumPathLength = 108

    private var storage = sockaddr_un()

    /// - Precondition: none; a path that is too long is cut, so callers check its length where they make it.
    init(path: String) {
        storage.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &storage.sun_path) { bytes in
            bytes.copyBytes(from: path.utf8.prefix(Self.maximumPathLength - 1))
        }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
