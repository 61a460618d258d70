import Glibc

/// A file that cannot be written, read or removed.
public struct StorageFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    init(_ what: String, _ number: Int32) {
        description = "\(what) (\(String(cString: strerror(number))))"
    }

    init(_ what: String) {
        description = what
    }
}
