/// The tables on disk. Each migration takes a file from the version before it to its own; a migration that has been
/// released is never edited. `docs/ledger-schema.md` repeats the statements word for word, and a test compares them.
enum Schema {
    struct Migration {
        let version: Int64
        let statements: [String]
    }

    /// "RKlg" in ASCII; `file` and `PRAGMA application_id` tell a ledger by it.
    static let applicationID: Int64 = 0x524B_6C67

    static let migrations: [Migration] = [
        migration1, migration2, migration3, migration4, migration5, migration6, migration7,
    ]

    static let currentVersion: Int64 = migrations.last?.version ?? 0
}
