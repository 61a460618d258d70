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
