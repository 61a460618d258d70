import Glibc
import Synchronization

/// The thread that serves the clients, and the lock around what it serves.
final class BusEngine: Sendable {
    let bed: Mutex<Bed>
    private let isStopping = Mutex(false)
    private let thread = Mutex<pthread_t?>(nil)
    private let failure = Mutex<String?>(nil)
    private let wakeReading: Int32
    private let wakeWriting: Int32

    init(bed: sending Bed) throws(MockBusError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .current("cannot make a pipe") }
        (wakeReading, wakeWriting) = (ends[0], ends[1])
        for descriptor in ends {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        self.bed = Mutex(bed)
    }

    deinit {
        close(wakeReading)
        close(wakeWriting)
    }

    /// Why the thread ended of its own accord; nil while it serves.
    var failureReason: String? { failure.withLock { $0 } }

    func start() throws(MockBusError) {
        var made = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &made, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<BusEngine>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            throw .system("cannot start the bus thread", errno: ErrorNumber(code: code).name)
        }
        let identifier = made
        thread.withLock { $0 = identifier }
    }

    /// The poll set may have changed.
    func wake() {
        var byte: UInt8 = 0
        _ = write(wakeWriting, &byte, 1)
    }

    /// Ends the thread and waits for it. Only the first call does anything.
    func stop() {
        isStopping.withLock { $0 = true }
        wake()
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        if let running { pthread_join(running, nil) }
    }

    private func run() {
        // Signals belong to the program's own threads.
        var everything = sigset_t()
        sigfillset(&everything)
        pthread_sigmask(SIG_SETMASK, &everything, nil)
        while !isStopping.withLock({ $0 }) {
            let (descriptors, timeout) = bed.withLock { $0.pollSet() }
            var entries = ([wakeReading] + descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            if poll(&entries, nfds_t(entries.count), timeout) < 0, errno != EINTR {
                let name = ErrorNumber.current.name
                return failure.withLock { $0 = "poll failed: \(name)" }
            }
            if entries[0].revents != 0 { drainWakeUps() }
            let ready = entries.dropFirst().filter { $0.revents != 0 }.map(\.fd)
            bed.withLock { $0.serve(ready) }
        }
    }

    private func drainWakeUps() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(wakeReading, &bytes, bytes.count) > 0 {}
    }
}
