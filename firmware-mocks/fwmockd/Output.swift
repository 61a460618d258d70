import Glibc

/// Lines on standard output and error, written at once.
enum Output {
    static func line(_ text: String) {
        write(text + "\n", to: STDOUT_FILENO)
    }

    /// A message of fwmockd's own.
    static func message(_ text: String) {
        write("fwmockd: " + text + "\n", to: STDERR_FILENO)
    }

    /// False when the other end is gone.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
