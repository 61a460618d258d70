import Glibc

/// Makes the three standard descriptors safe to use, whoever started this program, and a crash silent about memory.
enum StandardDescriptors {
    /// A closed one is opened on /dev/null, so that no ledger and no reader ever gets its number; writing to a pipe that
    /// nobody reads is an error of that write, not the end of a payment. Call before anything is opened.
    static func prepare() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is the closed one, since those below it are open by now.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY)
        }
        signal(SIGPIPE, SIG_IGN)
        // Memory holds card data while a payment runs: a crash writes none of it to a file.
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }
}
