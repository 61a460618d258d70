import Foundation
import Glibc

/// A TCP client that blocks, at most for ten seconds.
final class SocketClient {
    private let descriptor: Int32
    private var received: [UInt8] = []

    struct NotConnected: Error {}

    /// - Parameter address: 127.0.0.1:PORT.
    init(_ address: String) throws {
        guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else { throw NotConnected() }
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            Glibc.close(descriptor)
            throw NotConnected()
        }
    }

    func send(_ bytes: [UInt8]) {
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Whether the bytes come; those before them are passed over.
    func receive(until wanted: [UInt8]) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = received.firstRange(of: wanted)?.upperBound {
                received.removeFirst(end)
                return true
            }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return false }
            received += chunk[..<count]
        }
    }

    func close() { Glibc.close(descriptor) }
}
