import Glibc

/// One ioctl call of the client, seen from the other end of umockdev's socket. While it lasts, the calling thread of the
/// client does nothing but obey: it reads or writes its own memory until told that the call is done.
struct ClientChannel {
    /// What the client asked for.
    struct Call: Sendable, Hashable {
        var command: UInt
        var first: UInt
        var second: UInt
    }

    enum Received: Sendable, Hashable {
        case call(Call)
        case nothingYet
        case closed
    }

    /// The client is gone, or does not keep to the protocol.
    struct Broken: Error {}

    static let ioctl: UInt = 1
    static let read: UInt = 7
    static let write: UInt = 8
    private static let done: UInt = 3
    private static let readMemory: UInt = 5
    private static let writeMemory: UInt = 6
    private static let headerSize = 24
    /// A payload larger than this goes out in a send of its own.
    private static let largePayload = 2048

    let descriptor: Int32
    private var staged: [UInt8] = []

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// A client that stops in the middle of a call may hold the mock up for this long, no longer.
    static func limitWaiting(on descriptor: Int32) {
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// The next call, without waiting.
    static func receive(from descriptor: Int32) -> Received {
        var header = [UInt8](repeating: 0, count: headerSize)
        while true {
            let count = recv(descriptor, &header, header.count, Int32(MSG_DONTWAIT))
            if count == headerSize {
                return header.withUnsafeBytes { bytes in
                    .call(
                        Call(
                            command: bytes.loadUnaligned(fromByteOffset: 0, as: UInt.self),
                            first: bytes.loadUnaligned(fromByteOffset: 8, as: UInt.self),
                            second: bytes.loadUnaligned(fromByteOffset: 16, as: UInt.self)
                        ))
                }
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return .nothingYet }
            return .closed
        }
    }

    /// Reads the client's memory.
    mutating func memory(at address: UInt, count: Int) throws(Broken) -> [UInt8] {
        guard count > 0 else { return [] }
        stage(Self.readMemory, address, UInt(count))
        try flush()
        var bytes = [UInt8](repeating: 0, count: count)
        var received = 0
        while received < count {
            let step = bytes.withUnsafeMutableBytes { buffer in
                recv(descriptor, buffer.baseAddress.map { $0 + received }, count - received, 0)
            }
            if step < 0, errno == EINTR { continue }
            guard step > 0 else { throw Broken() }
            received += step
        }
        return bytes
    }

    /// Writes into the client's memory, at the latest when the call is done.
    ///
    /// The client reads each header with a single receive and does not loop, so a header must not straddle two sends
    /// or two of the kernel's buffers: a large payload goes out alone.
    mutating func setMemory(at address: UInt, to bytes: [UInt8]) throws(Broken) {
        guard !bytes.isEmpty else { return }
        stage(Self.writeMemory, address, UInt(bytes.count))
        if bytes.count > Self.largePayload {
            try flush()
            staged = bytes
            try flush()
        } else {
            staged += bytes
        }
    }

    /// Ends the call. `errorNumber` counts only when `result` is -1.
    mutating func finish(result: Int, errorNumber: Int32) throws(Broken) {
        stage(Self.done, UInt(bitPattern: result), UInt(UInt32(bitPattern: errorNumber)))
        try flush()
    }

    private mutating func stage(_ command: UInt, _ first: UInt, _ second: UInt) {
        for word in [command, first, second] {
            withUnsafeBytes(of: word) { staged += $0 }
        }
    }

    private mutating func flush() throws(Broken) {
        var sent = 0
        while sent < staged.count {
            let count = staged[sent...].withUnsafeBytes { buffer in
                send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Broken() }
            sent += count
        }
        staged = []
    }
}
