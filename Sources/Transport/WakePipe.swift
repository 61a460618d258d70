import Glibc

/// A self-pipe: any thread may `wake()`, one thread waits for it together with its other descriptors.
/// Waits use relative time-outs, so they behave the same when the process's clock is shifted.
package struct WakePipe: ~Copyable, Sendable {
    /// Becomes readable on `wake()`; stays so until `drain()`.
    package let readEnd: Int32
    private let writeEnd: Int32

    package init() throws(TransportError) {
        var ends: (Int32, Int32) = (-1, -1)
        let result = withUnsafeMutablePointer(to: &ends) { pair in
            pair.withMemoryRebound(to: Int32.self, capacity: 2) {
                // A socket pair, since it can be born close-on-exec.
                socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0, $0)
            }
        }
        guard result == 0 else { throw TransportError(.failed, during: "make wake pipe", underlying: "errno \(errno)") }
        (readEnd, writeEnd) = ends
    }

    deinit {
        Glibc.close(readEnd)
        Glibc.close(writeEnd)
    }

    package func wake() {
        var byte: UInt8 = 1
        // A full pipe is as good as a byte: the reader is going to wake.
        while send(writeEnd, &byte, 1, Int32(MSG_NOSIGNAL)) < 0, errno == EINTR {}
    }

    package func drain() {
        var buffer: (UInt64, UInt64) = (0, 0)
        while true {
            let count = withUnsafeMutableBytes(of: &buffer) { read(readEnd, $0.baseAddress, $0.count) }
            if count > 0 || (count < 0 && errno == EINTR) { continue }
            return
        }
    }

    /// Waits until woken, or `descriptor` is readable, or `timeout` is over (nil: for ever). Returns whether
    /// `descriptor` has something to say (data, error or hang-up).
    @discardableResult
    package func wait(alongside descriptor: Int32 = -1, atMost timeout: Duration?) -> Bool {
        var polled = (
            pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        )
        let ready = withUnsafeMutablePointer(to: &polled) { pair in
            pair.withMemoryRebound(to: pollfd.self, capacity: 2) { poll($0, 2, timeout?.pollMilliseconds ?? -1) }
        }
        guard ready > 0 else { return false }
        if polled.0.revents != 0 { drain() }
        return polled.1.revents != 0
    }
}

extension Duration {
    /// Whole milliseconds for poll(2), rounded up so that a wait does not end just before its time.
    package var pollMilliseconds: Int32 {
        let nanoseconds = wholeNanoseconds
        return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1))
    }
}
