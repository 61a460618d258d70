import Glibc

/// A numeric address as the kernel takes it.
struct SocketAddress: Sendable, Hashable {
    let family: Int32
    private let bytes: [UInt8]

    /// All addresses of an endpoint. Blocks when the host is a name, unless `numericOnly`.
    static func resolve(_ endpoint: Endpoint, numericOnly: Bool, passive: Bool = false) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (numericOnly ? AI_NUMERICHOST : 0) | (passive ? AI_PASSIVE : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(endpoint.host, String(endpoint.port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var entry = list
        while let found = entry?.pointee, addresses.count < 8 {
            if let address = found.ai_addr {
                let raw = UnsafeRawBufferPointer(start: address, count: Int(found.ai_addrlen))
                addresses.append(SocketAddress(family: found.ai_family, bytes: Array(raw)))
            }
            entry = found.ai_next
        }
        return addresses
    }

    /// 127.0.0.0/8 or ::1.
    var isLoopback: Bool {
        switch family {
        case AF_INET: bytes.count >= 8 && bytes[4] == 127
        case AF_INET6: bytes.count >= 24 && bytes[8..<24].elementsEqual([UInt8](repeating: 0, count: 15) + [1])
        default: false
        }
    }

    /// Port, from the place where both families have it.
    var port: UInt16 {
        bytes.count >= 4 ? UInt16(bytes[2]) << 8 | UInt16(bytes[3]) : 0
    }

    /// The local address of a socket.
    init?(of descriptor: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        family = Int32(storage.ss_family)
        bytes = withUnsafeBytes(of: &storage) { Array($0.prefix(Int(length))) }
    }

    private init(family: Int32, bytes: [UInt8]) {
        self.family = family
        self.bytes = bytes
    }

    /// Runs `call` with the address as sockaddr.
    func with<Result>(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes.prefix($0.count)) }
        return withUnsafePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(bytes.count)) }
        }
    }
}

extension Endpoint {
    /// Whether the host is a numeric address of this machine only, or `localhost`.
    public var isLoopback: Bool {
        if host == "localhost" { return true }
        let addresses = SocketAddress.resolve(self, numericOnly: true)
        return !addresses.isEmpty && addresses.allSatisfy(\.isLoopback)
    }
}
