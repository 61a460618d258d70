import Glibc

/// Turns an open connection into one to a ledger of the current version, or says why that cannot be.
struct LedgerFile {
    let connection: SQLiteConnection
    let directory: String

    /// Above this size (32 MiB in pages of 4 KiB) the check of every page would delay the start of a kiosk too much;
    /// `Ledger.checkIntegrity()` still does it.
    var pagesToCheck: Int64 = 8_192

    private static let linesToCheck: Int64 = 1_000

    func open(readOnly: Bool) throws(LedgerError) {
        try prepare()
        let place = try LedgerDirectory(directory)
        let mayBegin = place.mayBegin
        let version = try connection.snapshot(knownVersion)
        if version == 0, !mayBegin { throw place.emptied }
        if readOnly {
            guard version > 0 else { throw .noLedger(directory) }
            guard version == Schema.currentVersion else {
                throw .openFailed(
                    "it has the older format \(version)",
                    nextStep: "Start the payment service once; it brings the ledger up to date.")
            }
        } else {
            try makeDurable()
            try migrate()
            try place.markFinished()
        }
        if try connection.integer("PRAGMA page_count") ?? 0 <= pagesToCheck {
            try Self.check(connection)
        } else {
            try checkNewest()
        }
    }

    /// What every connection needs, before its first question.
    func prepare() throws(LedgerError) {
        try connection.run("PRAGMA trusted_schema = OFF")
        try connection.run("PRAGMA cell_size_check = ON")
        try connection.run("PRAGMA foreign_keys = ON")
    }

    static func check(_ connection: SQLiteConnection) throws(LedgerError) {
        let finding = try connection.text("PRAGMA quick_check(1)") ?? "the check gave no answer"
        guard finding == "ok" else { throw .corrupt(String(finding.split(separator: "\n").joined(separator: " "))) }
    }

    /// The end of the journal and what it speaks of: the part of a long file that an interrupted write could have
    /// touched.
    private func checkNewest() throws(LedgerError) {
        let lost = try connection.integer(
            """
            SELECT count(*) FROM (SELECT transaction_id FROM journal ORDER BY seq DESC LIMIT ?) AS line
            LEFT JOIN transactions ON transactions.id = line.transaction_id
            WHERE transactions.state IS NULL
            """, [.integer(Self.linesToCheck)])
        guard lost == 0 else { throw .corrupt("the journal speaks of a transaction that is not there") }
    }

    /// The version of the file; 0 for a new one. Ask inside a transaction: another process may be making the file.
    private func knownVersion() throws(LedgerError) -> Int64 {
        let application = try connection.integer("PRAGMA application_id") ?? 0
        let version = try connection.integer("PRAGMA user_version") ?? 0
        if application == 0, version == 0, try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 {
            return 0
        }
        guard application == Schema.applicationID else {
            throw .openFailed(
                "the file in '\(directory)' belongs to another program", nextStep: "Name another data directory.")
        }
        guard version <= Schema.currentVersion else {
            throw LedgerError(
                .newerSchema,
                "The ledger has the format \(version), and this program knows formats up to \(Schema.currentVersion).",
                nextStep: "Install the newer version of this program again.")
        }
        guard version > 0 else { throw .corrupt("it has the format \(version)") }
        return version
    }

    /// Write-ahead log, and every commit reaches the disk before it is reported.
    private func makeDurable() throws(LedgerError) {
        try connection.commit(with: .flushed)
        // What is deleted is overwritten with zeros.
        try connection.run("PRAGMA secure_delete = ON")
        // Two processes may make this change at the same moment, and SQLite does not wait here by itself.
        var triesLeft = 50
        while try connection.text("PRAGMA journal_mode") != "wal" {
            do throws(LedgerError) {
                let mode = try connection.text("PRAGMA journal_mode = WAL")
                guard mode == "wal" else {
                    throw .openFailed(
                        "its file system does not support a write-ahead log",
                        nextStep: "Name a data directory on a local disk.")
                }
            } catch  where error.code == .busy && triesLeft > 0 {
                triesLeft -= 1
                poll(nil, 0, 20)
            }
        }
    }

    private func migrate() throws(LedgerError) {
        guard try connection.snapshot(knownVersion) < Schema.currentVersion else { return }
        try connection.immediate { () throws(LedgerError) in
            // Another process may have done it since.
            let version = try knownVersion()
            for migration in Schema.migrations where migration.version > version {
                for statement in migration.statements { try connection.run(statement) }
                try connection.run("PRAGMA user_version = \(migration.version)")
            }
            try connection.run("PRAGMA application_id = \(Schema.applicationID)")
        }
    }
}
