import Glibc

/// A copy that appears under its name only when it is complete.
struct LedgerBackup: Sendable {
    let path: String
    private var partial: String { path + ".partial" }

    init(path: String) throws(LedgerError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .openFailed("the name of the backup is empty or not valid", nextStep: "Name a file to write.")
        }
        self.path = path
    }

    func write(from connection: SQLiteConnection, busyTimeout: Int32) throws(LedgerError) {
        // What an interrupted backup has left is of no use.
        unlink(partial)
        try LedgerDirectory.makeEmptyFile(partial)
        defer { unlink(partial) }
        try connection.copy(to: partial, busyTimeout: busyTimeout)
        guard link(partial, path) == 0 else {
            let number = errno
            guard number == EEXIST else { throw LedgerDirectory.failed("'\(path)' cannot be made", number) }
            throw .openFailed("the backup '\(path)' exists already", nextStep: "Name a file that does not exist.")
        }
        LedgerDirectory.synchronise(parentOf: path)
    }
}
