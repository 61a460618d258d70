import Glibc

@testable import UMockdevBed

/// The other end of the ioctl socket: does what umockdev's preload does inside a client, with a small memory of its own.
final class UsbfsClient {
    struct Outcome: Equatable {
        var result: Int
        var errorNumber: Int32

        static let ok = Outcome(result: 0, errorNumber: 0)

        static func failure(_ number: Int32) -> Outcome { Outcome(result: -1, errorNumber: number) }
    }

    struct Lost: Error {}

    /// Client memory begins at this made-up address.
    static let base: UInt = 0x10_0000
    var memory = [UInt8](repeating: 0, count: 0x10000)
    private let descriptor: Int32
    private let node: Int32

    init(root: String, node path: String) throws {
        node = open(root + "/dev/" + path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let connected = SocketAddress(path: root + "/ioctl/dev/" + path).withPointer { connect(descriptor, $0, $1) }
        guard connected == 0, node >= 0 else { throw Lost() }
    }

    deinit {
        close(descriptor)
        close(node)
    }

    /// What poll says about the node at this moment, among POLLOUT, POLLERR and POLLHUP.
    var readiness: Int32 {
        var entry = pollfd(fd: node, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, 0)
        return Int32(entry.revents) & (POLLOUT | POLLERR | POLLHUP)
    }

    func ioctl(_ code: IoctlCode, _ argument: UInt = base) throws -> Outcome {
        try ioctl(UInt(code.rawValue), argument)
    }

    func ioctl(_ request: UInt, _ argument: UInt = base) throws -> Outcome {
        send([1, request, argument])
        while true {
            let header = try receive(24).withUnsafeBytes { bytes in
                (0..<3).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt.self) }
            }
            switch header[0] {
            case 3:
                let result = Int(bitPattern: header[1])
                return Outcome(result: result, errorNumber: result == -1 ? Int32(header[2]) : 0)
            case 5:
                let start = Int(header[1] - Self.base)
                write(Array(memory[start..<(start + Int(header[2]))]))
            case 6:
                let start = Int(header[1] - Self.base)
                memory.replaceSubrange(start..<(start + Int(header[2])), with: try receive(Int(header[2])))
            default:
                throw Lost()
            }
        }
    }

    /// Puts a request block at `offset`, its buffer of `length` bytes 0x1000 behind it, and submits it.
    func submit(_ kind: UInt8, endpoint: UInt8, at offset: Int, bytes: [UInt8] = [], length: Int) throws -> Outcome {
        memory.replaceSubrange(offset..<(offset + 56), with: [UInt8](repeating: 0, count: 56))
        memory[offset] = kind
        memory[offset + 1] = endpoint
        put(Self.base + UInt(offset) + 0x1000, at: offset + 16)
        put(UInt(UInt32(truncatingIfNeeded: length)), at: offset + 24)
        memory.replaceSubrange((offset + 0x1000)..<(offset + 0x1000 + bytes.count), with: bytes)
        return try ioctl(.submit, Self.base + UInt(offset))
    }

    struct Reaped: Equatable {
        var offset: Int
        var status: Int32
        var bytes: [UInt8]
    }

    /// Reaps one block; nil when there is none to reap, with the errno in `lastError`.
    func reap() throws -> Reaped? {
        let outcome = try ioctl(.reapNoDelay, Self.base + 0xFF00)
        lastError = outcome.errorNumber
        guard outcome == .ok else { return nil }
        return memory.withUnsafeBytes { raw in
            let offset = Int(raw.loadUnaligned(fromByteOffset: 0xFF00, as: UInt.self) - Self.base)
            let status = raw.loadUnaligned(fromByteOffset: offset + 4, as: Int32.self)
            let count = Int(raw.loadUnaligned(fromByteOffset: offset + 28, as: Int32.self))
            return Reaped(offset: offset, status: status, bytes: Array(raw[(offset + 0x1000)...].prefix(count)))
        }
    }

    private(set) var lastError: Int32 = 0

    private func put(_ value: UInt, at offset: Int) {
        withUnsafeBytes(of: value) { memory.replaceSubrange(offset..<(offset + 8), with: $0) }
    }

    private func send(_ words: [UInt]) {
        write(words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } })
    }

    private func write(_ bytes: [UInt8]) {
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private func receive(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count else { throw Lost() }
        return bytes
    }
}
