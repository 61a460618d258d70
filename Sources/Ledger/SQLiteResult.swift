import CSQLite
import Glibc

extension LedgerError {
    /// The one place where a result of SQLite becomes an error. The text of SQLite itself is left out: it may quote SQL
    /// and values.
    init(result: Int32, on connection: OpaquePointer?) {
        let name = SQLiteResult.name(result)
        let errno = connection.map { sqlite3_system_errno($0) } ?? 0
        switch SQLiteResult.meaning(result, errno: errno) {
        case .diskFull:
            self.init(
                .diskFull, "The ledger could not be written: no room is left on the disk (\(name)).",
                nextStep: "Free some space, then repeat the operation.")
        case .corrupt: self = .corrupt("SQLite reports \(name)")
        case .busy:
            self.init(
                .busy, "Another process keeps the ledger locked (\(name)).",
                nextStep: "Wait until it has finished, then repeat the operation.")
        case .notWritable: self = .notWritable("SQLite reports \(name)")
        case .openFailed:
            self = .openFailed("SQLite reports \(name)", nextStep: "Check the data directory and its permissions.")
        case .invalid:
            self.init(
                .invalid, "A value does not fit the ledger (\(name)).",
                nextStep: "Correct the value; this is a fault of the calling program.")
        case .other:
            self.init(
                .sqlite(name), "The ledger could not do this: SQLite reports \(name).",
                nextStep: "Look at the system's log for errors of the disk, then repeat the operation.")
        }
    }
}

/// What SQLite's result codes (https://sqlite.org/rescode.html) mean to a ledger. The numbers are promised by SQLite.
enum SQLiteResult {
    enum Meaning {
        case diskFull, corrupt, busy, notWritable, openFailed, invalid, other
    }

    /// - Parameter errno: what the system said last; it counts only for failed reads, writes and opens.
    static func meaning(_ result: Int32, errno: Int32) -> Meaning {
        let noRoom = errno == ENOSPC || errno == EDQUOT || errno == EFBIG
        switch result & 0xFF {
        case SQLITE_FULL: return .diskFull
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .corrupt
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .busy
        case SQLITE_READONLY, SQLITE_PERM: return .notWritable
        case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH: return .invalid
        case SQLITE_CANTOPEN:
            if noRoom { return .diskFull }
            return errno == EACCES || errno == EPERM || errno == EROFS ? .notWritable : .openFailed
        case SQLITE_IOERR:
            if result == ioErrorCorruptFileSystem { return .corrupt }
            if noRoom { return .diskFull }
            return errno == EROFS ? .notWritable : .other
        default: return .other
        }
    }

    private static let ioErrorCorruptFileSystem: Int32 = 8458

    static func name(_ result: Int32) -> String {
        names[result] ?? names[result & 0xFF].map { "\($0) (\(result))" } ?? "SQLite result \(result)"
    }

    private static let names: [Int32: String] = [
        1: "SQLITE_ERROR", 2: "SQLITE_INTERNAL", 3: "SQLITE_PERM", 4: "SQLITE_ABORT", 5: "SQLITE_BUSY",
        6: "SQLITE_LOCKED", 7: "SQLITE_NOMEM", 8: "SQLITE_READONLY", 9: "SQLITE_INTERRUPT", 10: "SQLITE_IOERR",
        11: "SQLITE_CORRUPT", 12: "SQLITE_NOTFOUND", 13: "SQLITE_FULL", 14: "SQLITE_CANTOPEN", 15: "SQLITE_PROTOCOL",
        16: "SQLITE_EMPTY", 17: "SQLITE_SCHEMA", 18: "SQLITE_TOOBIG", 19: "SQLITE_CONSTRAINT", 20: "SQLITE_MISMATCH",
        21: "SQLITE_MISUSE", 22: "SQLITE_NOLFS", 23: "SQLITE_AUTH", 24: "SQLITE_FORMAT", 25: "SQLITE_RANGE",
        26: "SQLITE_NOTADB", 261: "SQLITE_BUSY_RECOVERY", 266: "SQLITE_IOERR_READ", 267: "SQLITE_CORRUPT_VTAB",
        275: "SQLITE_CONSTRAINT_CHECK", 517: "SQLITE_BUSY_SNAPSHOT", 522: "SQLITE_IOERR_SHORT_READ",
        523: "SQLITE_CORRUPT_SEQUENCE", 776: "SQLITE_READONLY_ROLLBACK", 778: "SQLITE_IOERR_WRITE",
        779: "SQLITE_CORRUPT_INDEX", 787: "SQLITE_CONSTRAINT_FOREIGNKEY", 1032: "SQLITE_READONLY_DBMOVED",
        1034: "SQLITE_IOERR_FSYNC", 1290: "SQLITE_IOERR_DIR_FSYNC", 1299: "SQLITE_CONSTRAINT_NOTNULL",
        1544: "SQLITE_READONLY_DIRECTORY", 1546: "SQLITE_IOERR_TRUNCATE", 1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
        1802: "SQLITE_IOERR_FSTAT", 2067: "SQLITE_CONSTRAINT_UNIQUE", 2314: "SQLITE_IOERR_UNLOCK",
        2570: "SQLITE_IOERR_DELETE", 3091: "SQLITE_CONSTRAINT_DATATYPE", 3850: "SQLITE_IOERR_LOCK",
        4618: "SQLITE_IOERR_SHMOPEN", 4874: "SQLITE_IOERR_SHMSIZE", 5386: "SQLITE_IOERR_SHMMAP",
        8458: "SQLITE_IOERR_CORRUPTFS", 8714: "SQLITE_IOERR_IN_PAGE",
    ]
}
