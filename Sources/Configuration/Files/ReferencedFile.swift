import Crypto
import Glibc

/// A file that a configuration names, or the configuration itself.
enum ReferencedFile {
    /// Why it is not used, as a clause.
    struct Fault: Error {
        let message: String

        init(_ message: String) {
            self.message = message
        }

        static func system(_ number: Int32) -> Fault {
            Fault("the file cannot be read: \(String(cString: strerror(number)))")
        }
    }

    /// All bytes of a regular file of at most `limit`.
    static func read(_ path: String, limit: Int) throws(Fault) -> [UInt8] {
        let (descriptor, _) = try openForReading(path)
        defer { close(descriptor) }
        return try read(descriptor, limit: limit)
    }

    /// Opens a regular file and reads nothing of it.
    static func checkReadable(_ path: String) throws(Fault) {
        close(try openForReading(path).descriptor)
    }

    /// The content of a regular file that others than its owner and group have no access to.
    static func readSecret(_ path: String, limit: Int) throws(Fault) -> SecretBytes {
        let (descriptor, status) = try openForReading(path)
        defer { close(descriptor) }
        guard status.st_mode & 0o007 == 0 else {
            throw Fault(
                "a file that others cannot reach is expected (chmod 640 or less), its mode is 0"
                    + String(status.st_mode & 0o777, radix: 8))
        }
        var bytes = try read(descriptor, limit: limit)
        defer { wipe(&bytes) }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else { throw Fault("a file with a text is expected, an empty one was given") }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Fault("a file with one line is expected, one with control characters was given")
        }
        return SecretBytes(bytes)
    }

    /// A regular file. What only looks like one must not hold a kiosk up: a pipe without a writer blocks already when it is
    /// opened, a terminal becomes that of this program.
    private static func openForReading(_ path: String) throws(Fault) -> (descriptor: Int32, status: stat) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Fault("a regular file is expected, another was given")
        }
        return (descriptor, status)
    }

    private static func read(_ descriptor: Int32, limit: Int) throws(Fault) -> [UInt8] {
        // Sized before, so that no growth leaves a copy behind.
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count <= limit {
            let read = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, limit + 1 - count)
            }
            if read < 0 && errno == EINTR { continue }
            guard read >= 0 else {
                let number = errno
                wipe(&bytes)
                throw .system(number)
            }
            guard read > 0 else {
                bytes.removeLast(bytes.count - count)
                return bytes
            }
            count += read
        }
        wipe(&bytes)
        throw Fault("at most \(limit) bytes are expected, the file has more")
    }
}
