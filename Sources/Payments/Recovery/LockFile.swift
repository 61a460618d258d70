import Glibc
import Synchronization

/// A file whose lock (flock) says that somebody is at work. The kernel gives the lock back when its process ends, however
/// it ends. The file is removed with the lock.
final class LockFile: Sendable {
    enum Attempt {
        case taken(LockFile)
        /// Somebody else has it.
        case held
        case failed(errno: Int32)
    }

    private let path: String
    private let descriptor: Mutex<Int32?>

    private init(_ path: String, _ descriptor: Int32) {
        self.path = path
        self.descriptor = Mutex(descriptor)
    }

    deinit { release() }

    /// Makes the file (0600) if it is not there, and takes its lock without waiting.
    static func take(_ path: String) -> Attempt {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { return .failed(errno: errno) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let number = errno
                close(descriptor)
                if number == EINTR { continue }
                return number == EWOULDBLOCK ? .held : .failed(errno: number)
            }
            if isStillThere(path, descriptor) { return .taken(LockFile(path, descriptor)) }
            // Removed between the opening and the lock: nobody would see it.
            close(descriptor)
        }
    }

    /// Whether somebody has the lock. Asking takes a shared lock, so that two who ask do not take each other for the
    /// holder. A file that is not there is held by nobody; one that cannot be examined counts as held.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return errno != ENOENT && errno != ENOTDIR }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }

    /// Removes the file and gives the lock back. A second call does nothing.
    func release() {
        let open = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        guard let open else { return }
        unlink(path)
        close(open)
    }

    private static func isStillThere(_ path: String, _ descriptor: Int32) -> Bool {
        var mine = stat()
        var there = stat()
        return fstat(descriptor, &mine) == 0 && lstat(path, &there) == 0 && mine.st_ino == there.st_ino
            && mine.st_dev == there.st_dev
    }
}
