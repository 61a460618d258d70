import Glibc

/// The directory and the file of a ledger, and who may write them.
struct LedgerDirectory: Sendable {
    let path: String

    /// One page of the smallest size that SQLite allows, in bytes.
    private static let smallestDatabase = 512

    var file: String { path + "/ledger.sqlite" }

    init(_ path: String) throws(LedgerError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .openFailed("the name of its directory is empty or not valid", nextStep: "Name a data directory.")
        }
        self.path = path
    }

    /// Makes the directory (0700, its parents too) and an empty file (0600) where they are missing.
    func prepare() throws(LedgerError) {
        try makeDirectories()
        try check()
        try Self.makeEmptyFile(file)
        try checkFile(narrowing: true)
    }

    /// Refuses a directory in which other users could exchange the file.
    func check() throws(LedgerError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Self.failed("'\(path)' cannot be examined", errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw .openFailed("'\(path)' is not a directory", nextStep: "Name another data directory.")
        }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw .openFailed(
                "its directory '\(path)' can be written by other users",
                nextStep: "Run: chmod 700 '\(path)'")
        }
    }

    /// False: there is no file.
    func hasFile() throws(LedgerError) -> Bool {
        var status = stat()
        if lstat(file, &status) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw Self.failed("'\(file)' cannot be examined", errno) }
        return false
    }

    /// - Parameter narrowing: take the file's permissions back to its owner.
    func checkFile(narrowing: Bool) throws(LedgerError) {
        var status = stat()
        guard lstat(file, &status) == 0 else { throw Self.failed("'\(file)' cannot be examined", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .openFailed(
                "'\(file)' is not a regular file", nextStep: "Move it away or name another data directory.")
        }
        // Empty: about to be made. SQLite takes a file of a single byte for an empty one and would begin anew in it.
        guard status.st_size == 0 || status.st_size >= Self.smallestDatabase else {
            throw .corrupt("'\(file)' has only \(status.st_size) bytes")
        }
        if narrowing, status.st_mode & 0o077 != 0, chmod(file, 0o600) != 0 {
            throw Self.failed("the permissions of '\(file)' cannot be narrowed", errno)
        }
    }

    /// An empty file that only its owner may use; a file that is there already is left alone. `mknod` never opens it:
    /// closing a descriptor of a database file would drop the locks that another connection of this process holds.
    static func makeEmptyFile(_ path: String) throws(LedgerError) {
        guard mknod(path, S_IFREG | 0o600, 0) == 0 || errno == EEXIST else {
            throw failed("'\(path)' cannot be made", errno)
        }
    }

    private func makeDirectories() throws(LedgerError) {
        var missing: [String] = []
        var current = Substring(path)
        while !current.isEmpty {
            var status = stat()
            if stat(String(current), &status) == 0 { break }
            guard errno == ENOENT else { throw Self.failed("'\(current)' cannot be examined", errno) }
            missing.append(String(current))
            while current.last == "/" { current.removeLast() }
            while let last = current.last, last != "/" { current.removeLast() }
            while current.count > 1, current.last == "/" { current.removeLast() }
        }
        for directory in missing.reversed() {
            guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
                throw Self.failed("'\(directory)' cannot be made", errno)
            }
            Self.synchronise(parentOf: directory)
        }
    }

    /// A new name is durable only when its directory is. A file system that cannot do this offers nothing better, so
    /// the result does not matter.
    static func synchronise(parentOf path: String) {
        let slash = path.lastIndex(of: "/")
        let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    static func failed(_ what: String, _ number: Int32) -> LedgerError {
        let finding = "\(what) (\(SystemError.text(number)))"
        switch number {
        case EACCES, EPERM, EROFS: return .notWritable(finding)
        case ENOSPC, EDQUOT:
            return LedgerError(
                .diskFull, "The ledger cannot be written: \(finding).",
                nextStep: "Free some space, then repeat the operation.")
        default: return .openFailed(finding, nextStep: "Name another data directory.")
        }
    }
}
