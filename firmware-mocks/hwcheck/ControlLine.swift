import Glibc
import SharedChecks

/// One steering line to fwmockd's control socket, and its answer.
enum ControlLine {
    /// Blocks until the answer is here, at most two seconds. Throws when it is not "ok".
    static func send(_ line: String, to path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw CheckFailure("no socket: errno \(errno)") }
        defer { close(descriptor) }
        try connect(descriptor, to: path)
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let bytes = Array((line + "\n").utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw CheckFailure("steering was not sent") }

        var answer: [UInt8] = []
        var byte: UInt8 = 0
        while answer.count < 1024, read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { answer.append(byte) }
        let text = String(decoding: answer, as: UTF8.self)
        guard text == "ok" else { throw CheckFailure("'\(line)' was answered '\(text)'") }
    }

    private static func connect(_ descriptor: Int32, to path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        guard fits else { throw CheckFailure("the control path is too long") }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw CheckFailure("cannot reach the control socket: errno \(errno)") }
    }
}
