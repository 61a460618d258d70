import Glibc

/// An errno value and its name. Names are used in steering commands and messages; the numbers travel to the client.
struct ErrorNumber: Sendable, Hashable {
    var code: Int32

    static var current: ErrorNumber { ErrorNumber(code: errno) }

    init(code: Int32) {
        self.code = code
    }

    init?(named name: String) {
        guard let entry = Self.names.first(where: { $0.name == name }) else { return nil }
        code = entry.code
    }

    var name: String {
        Self.names.first { $0.code == code }?.name ?? "errno \(code)"
    }

    private static let names: [(name: String, code: Int32)] = [
        ("EACCES", EACCES), ("EADDRINUSE", EADDRINUSE), ("EAGAIN", EAGAIN), ("EBUSY", EBUSY), ("EEXIST", EEXIST),
        ("EILSEQ", EILSEQ), ("EINVAL", EINVAL), ("EIO", EIO), ("EMFILE", EMFILE), ("ENAMETOOLONG", ENAMETOOLONG),
        ("ENODATA", ENODATA), ("ENODEV", ENODEV), ("ENOENT", ENOENT), ("ENOMEM", ENOMEM), ("ENOSPC", ENOSPC),
        ("ENOTDIR", ENOTDIR), ("ENOTEMPTY", ENOTEMPTY), ("ENOTTY", ENOTTY), ("ENXIO", ENXIO), ("EOVERFLOW", EOVERFLOW),
        ("EPERM", EPERM), ("EPIPE", EPIPE), ("EPROTO", EPROTO), ("EROFS", EROFS), ("ESHUTDOWN", ESHUTDOWN),
        ("ETIME", ETIME), ("ETIMEDOUT", ETIMEDOUT),
    ]
}

extension MockBusError {
    /// The failure of the system call just made.
    static func current(_ what: String) -> MockBusError {
        .system(what, errno: ErrorNumber.current.name)
    }
}
