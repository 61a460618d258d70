import Glibc
import Transport

/// The open file of the simulated host's book, with its lock (flock). Whoever gets one closes it, which gives the lock
/// back.
struct BookFile: Sendable {
    let descriptor: Int32

    /// How often a lock that another process holds is asked for.
    private static let interval = Duration.milliseconds(20)

    /// Opens the file, makes it on first use (0600), and waits for its lock. The task waits, not a thread.
    ///
    /// - Throws: `GatewayError.notSent` when the file cannot be used, or another process keeps it past the deadline;
    ///   `GatewayError.cancelled(sent: false)`.
    static func lock(
        _ path: String, on clock: any MonotonicClock, until deadline: Deadline
    ) async throws(GatewayError) -> BookFile {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .notSent(reason: "the simulated host's book cannot be opened") }
        let file = BookFile(descriptor: descriptor)
        do throws(GatewayError) {
            while try !file.tryLock() {
                guard !Task.isCancelled else { throw .cancelled(sent: false) }
                guard !deadline.hasPassed(on: clock) else { throw .notSent(reason: "the book is locked") }
                await clock.sleep(until: min(clock.now().advanced(by: interval), deadline.instant))
            }
        } catch {
            file.close()
            throw error
        }
        return file
    }

    func close() {
        Glibc.close(descriptor)
    }

    private func tryLock() throws(GatewayError) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else {
            throw .notSent(reason: "the simulated host's book cannot be locked")
        }
        return false
    }
}
