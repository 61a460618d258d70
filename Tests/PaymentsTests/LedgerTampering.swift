import Synchronization

@testable import Ledger

/// What happens to a ledger from outside.
extension Ledger {
    func tamper(_ statement: String) throws(LedgerError) {
        try connected().run(statement)
    }

    /// From now on every write fails for want of room.
    func fillDisk() throws(LedgerError) {
        try tamper("CREATE TABLE filler (content BLOB)")
        try tamper(
            "CREATE TRIGGER fills AFTER INSERT ON journal BEGIN INSERT INTO filler VALUES (zeroblob(500000)); END")
        let pages = try connected().integer("PRAGMA page_count") ?? 0
        try tamper("PRAGMA max_page_count = \(pages)")
    }

    func makeRoomOnDisk() throws(LedgerError) {
        try tamper("PRAGMA max_page_count = 1000000")
        try tamper("DROP TRIGGER fills")
    }
}

/// Another program that has begun to write to the same ledger.
final class OtherWriter: Sendable {
    private let connection: Mutex<SQLiteConnection>

    init(besides ledger: Ledger) async throws(LedgerError) {
        let file = try await ledger.location().file
        let connection = try SQLiteConnection(path: file, readOnly: false, busyTimeout: 0)
        try connection.run("BEGIN IMMEDIATE")
        self.connection = Mutex(connection)
    }

    func finish() throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.run("COMMIT")
            connection.close()
        }
    }
}
