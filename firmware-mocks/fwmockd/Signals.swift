import Glibc

/// The signals that end fwmockd, and the one that tells of the client's end. They are blocked everywhere and waited for.
enum Signals {
    static let ending = [SIGTERM, SIGINT, SIGHUP]

    static func set(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }

    /// Must be called before any thread starts.
    static func block() {
        signal(SIGPIPE, SIG_IGN)
        var blocked = set(ending + [SIGCHLD])
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
    }

    /// The next of `signals`; nil after `milliseconds`.
    static func wait(for signals: [Int32], milliseconds: Int) -> Int32? {
        var awaited = set(signals)
        var limit = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        let signal = sigtimedwait(&awaited, nil, &limit)
        return signal > 0 ? signal : nil
    }
}
