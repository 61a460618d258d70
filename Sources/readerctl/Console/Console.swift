import Glibc
import JSONText
import Synchronization

/// Standard output for results, standard error for everything else. Colour only on a terminal, and never with NO_COLOR.
/// A result that cannot be written (closed pipe, full disk) is remembered: nobody may take silence for success.
final class Console: Sendable {
    private let colours: Bool
    /// Standard error is a terminal: progress lines are worth writing.
    let isInteractive: Bool
    private let failure = Mutex<Int32?>(nil)

    init() {
        isInteractive = isatty(STDERR_FILENO) == 1
        colours = isInteractive && getenv("NO_COLOR") == nil
    }

    /// Whoever read the result has read enough of it (`| head -1`), and has closed the pipe.
    var isUnread: Bool { failure.withLock { $0 } == EPIPE }

    /// Why a part of the result could not be written, in the system's words; nil while all of it was.
    var outputFailure: String? {
        failure.withLock { $0 }.map { String(cString: strerror($0)) }
    }

    func print(_ text: String, terminator: String = "\n") {
        var bytes = text + terminator
        bytes.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    func print(_ document: JSONValue) {
        print(document.compactText)
    }

    /// A piece of a long result.
    func write(_ piece: UnsafeRawBufferPointer) {
        guard failure.withLock({ $0 == nil }) else { return }
        if let number = Self.write(piece, to: STDOUT_FILENO) { failure.withLock { $0 = number } }
    }

    /// A remark that is no error.
    func note(_ text: String) {
        say(text + "\n")
    }

    func error(_ sentence: String) {
        let line = sentence.printable()
        say(colours ? "\u{1B}[31m\(line)\u{1B}[0m\n" : line + "\n")
    }

    /// A line that tells the person at the kiosk what to do.
    func progress(_ text: String) {
        guard isInteractive else { return }
        say(colours ? "\u{1B}[1m\(text)\u{1B}[0m\n" : text + "\n")
    }

    private func say(_ text: String) {
        var bytes = text
        bytes.withUTF8 { _ = Self.write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
    }

    /// Nil when everything was written, else the errno.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}
