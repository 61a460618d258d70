import Glibc
import Synchronization
import Testing

/// Holds up the thread that waits for it until it is opened; for one who waits.
final class Gate: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let arrived = Mutex(false)

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Whether somebody stands before it.
    var hasArrived: Bool { arrived.withLock { $0 } }

    func arrive() { arrived.withLock { $0 = true } }

    func wait() {
        var byte: UInt8 = 0
        while read(reading, &byte, 1) < 0, errno == EINTR {}
    }

    func open() {
        var byte: UInt8 = 1
        while write(writing, &byte, 1) < 0, errno == EINTR {}
    }
}
