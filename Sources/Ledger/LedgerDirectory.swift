import Glibc

/// The directory and the file of a ledger, and who may write them.
struct LedgerDirectory: Sendable {
    let path: String

    /// One page of the smallest size that SQLite allows, in bytes.
    private static let smallestDatabase = 512
    /// On a file that has no ledger in it yet. The sticky bit means nothing else for a file, and
    /// whoever cuts a file short does not set it.
    private static let unfinished = S_ISVTX
    /// What the programs of this product make only when the ledger beside it is complete: the key of receipts, and the
    /// locks of those that take payments.
    private static let traces = ["/receipt.key", "/running"]

    var file: String { path + "/ledger.sqlite" }
    private var log: String { file + "-wal" }

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
        if try !hasFile() { try Self.makeEmptyFile(file, Self.unfinished) }
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
    ///
    /// - Throws: `corrupt` when its log is there without it: SQLite would throw the log away, with the payments in it.
    func hasFile() throws(LedgerError) -> Bool {
        if try isThere() { return true }
        guard isLogFilled else { return false }
        // Another program may have made both in between.
        if try isThere() { return true }
        throw .emptied("'\(file)' is gone, and its log '\(log)' is still there", inTheWay: log)
    }

    private func isThere() throws(LedgerError) -> Bool {
        var status = stat()
        if lstat(file, &status) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw Self.failed("'\(file)' cannot be examined", errno) }
        return false
    }

    private var isLogFilled: Bool {
        var status = stat()
        return lstat(log, &status) == 0 && status.st_size > 0
    }

    /// Whether a ledger was in use in this directory.
    private var hasTraces: Bool {
        Self.traces.contains { trace in
            var status = stat()
            return lstat(path + trace, &status) == 0
        }
    }

    /// - Parameter narrowing: take the file's permissions back to its owner.
    func checkFile(narrowing: Bool) throws(LedgerError) {
        var status = stat()
        guard lstat(file, &status) == 0 else { throw Self.failed("'\(file)' cannot be examined", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .openFailed(
                "'\(file)' is not a regular file", nextStep: "Move it away or name another data directory.")
        }
        // SQLite takes an empty file for a new one, throws its log away and begins anew in it; one of a single byte, too.
        if status.st_size == 0 {
            guard isUnfinished(status) || !(hasTraces || isLogFilled) else { throw emptied }
        } else if status.st_size < Self.smallestDatabase {
            throw .corrupt("'\(file)' has only \(status.st_size) bytes")
        }
        if narrowing, status.st_mode & 0o077 != 0, chmod(file, status.st_mode & Self.unfinished | 0o600) != 0 {
            throw Self.failed("the permissions of '\(file)' cannot be narrowed", errno)
        }
    }

    private func isUnfinished(_ status: stat) -> Bool { status.st_mode & Self.unfinished != 0 }

    /// There was a ledger, and none is in the file.
    var emptied: LedgerError {
        .emptied("'\(file)' is empty, and payments were made with this directory before", inTheWay: file)
    }

    /// Whether a database without tables may be made into a ledger. Ask before looking into it: whoever makes it takes the
    /// mark away when it is complete.
    var mayBegin: Bool {
        var status = stat()
        return !hasTraces || (lstat(file, &status) == 0 && isUnfinished(status))
    }

    /// The ledger in the file is complete, and on disk.
    func markFinished() throws(LedgerError) {
        var status = stat()
        guard lstat(file, &status) == 0, isUnfinished(status) else { return }
        guard chmod(file, 0o600) == 0 else {
            throw Self.failed("the permissions of '\(file)' cannot be narrowed", errno)
        }
    }

    /// An empty file that only its owner may use; a file that is there already is left alone. `mknod` never opens it:
    /// closing a descriptor of a database file would drop the locks that another connection of this process holds.
    static func makeEmptyFile(_ path: String, _ marks: mode_t = 0) throws(LedgerError) {
        guard mknod(path, S_IFREG | marks | 0o600, 0) == 0 || errno == EEXIST else {
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
