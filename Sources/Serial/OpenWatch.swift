internal import CInotify
import Glibc
internal import Transport

/// Becomes readable when a program opens a node: inotify. A pseudo terminal whose other side nobody has open is hung up
/// all the time, and a poll cannot wait for the end of that.
final class OpenWatch: Sendable {
    let descriptor: Int32
    private let node: String

    init(on node: String) throws(SystemError) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw .last }
        guard inotify_add_watch(descriptor, node, UInt32(IN_OPEN)) >= 0 else {
            let error = SystemError.last
            Glibc.close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.node = node
    }

    deinit {
        Glibc.close(descriptor)
    }

    func drain() {
        var events = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &events, events.count) > 0 {}
    }

    /// Throws away what waits to be read on the node's side.
    func discardUnread() {
        let other = open(node, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard other >= 0 else { return }
        tcflush(other, TCIFLUSH)
        Glibc.close(other)
    }
}
