import Foundation
import Glibc
import Synchronization

/// Takes one connection on the loopback, reads one request, and answers with the given bytes, or not at all.
final class OneAnswerServer: Sendable {
    let port: UInt16
    private let state = Mutex(State())

    private struct State {
        var heard: String?
        var waiter: CheckedContinuation<String, Never>?
        var silent: Int32?
    }

    struct CannotListen: Error {}

    var url: String { "http://127.0.0.1:\(port)" }

    init(_ answer: String?) throws {
        let (listener, port) = try Self.listen()
        self.port = port
        Thread.detachNewThread { [self] in
            let connection = accept(listener, nil, nil)
            close(listener)
            tell(Self.request(on: connection))
            guard let answer else { return state.withLock { $0.silent = connection } }
            let bytes = Array(answer.utf8)
            _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            close(connection)
        }
    }

    /// The whole request.
    func heard() async -> String {
        await withCheckedContinuation { continuation in
            let heard = state.withLock { state in
                if state.heard == nil { state.waiter = continuation }
                return state.heard
            }
            if let heard { continuation.resume(returning: heard) }
        }
    }

    /// Hangs up on who was kept waiting.
    func release() {
        if let connection = state.withLock({ $0.silent }) { close(connection) }
    }

    static func freePort() throws -> UInt16 {
        let (listener, port) = try listen()
        close(listener)
        return port
    }

    private func tell(_ text: String) {
        let waiter = state.withLock { state in
            state.heard = text
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: text)
    }

    private static func listen() throws -> (Int32, UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && Glibc.listen(listener, 1) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw CannotListen() }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// Until the body has the length that the head says.
    private static func request(on connection: Int32) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let length =
                    text.range(of: "Content-Length: ").flatMap { Int(text[$0.upperBound...].prefix { $0.isNumber }) }
                    ?? 0
                if text[end.upperBound...].utf8.count >= length { return text }
            }
            // A TLS greeting never ends with an empty line.
            if bytes.first == 0x16 { return text }
            let count = read(connection, &chunk, chunk.count)
            guard count > 0 else { return text }
            bytes += chunk[..<count]
        }
    }
}
