import Glibc

/// SIGXFSZ, which the system sends to a thread whose write goes beyond the limit of file sizes, and which ends the process.
/// While it is held back the write fails with an error instead.
enum FileSizeSignal {
    static func heldBack<Result>(_ body: () -> Result) -> Result {
        var signal = sigset_t()
        var before = sigset_t()
        sigemptyset(&signal)
        sigaddset(&signal, SIGXFSZ)
        pthread_sigmask(SIG_BLOCK, &signal, &before)
        defer {
            if sigismember(&before, SIGXFSZ) == 0 {
                // One that waits would be delivered now.
                var none = timespec()
                var pending = sigset_t()
                if sigpending(&pending) == 0, sigismember(&pending, SIGXFSZ) == 1 { sigtimedwait(&signal, nil, &none) }
                pthread_sigmask(SIG_SETMASK, &before, nil)
            }
        }
        return body()
    }
}
