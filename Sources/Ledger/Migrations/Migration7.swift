extension Schema {
    /// Fewer pages for each commit of a sale: no counter of the journal's numbers, no entry for the original of a sale, and one
    /// index for an identifier that is used once. Nothing is asked or answered differently.
    static let migration7 = Migration(
        version: 7,
        statements: [
            "DROP INDEX journal_transaction_id",
            "ALTER TABLE journal RENAME TO journal_before_7",
            """
            CREATE TABLE journal (
                seq INTEGER PRIMARY KEY,
                transaction_id TEXT NOT NULL REFERENCES transactions (id),
                at INTEGER NOT NULL,
                from_state TEXT,
                to_state TEXT NOT NULL,
                detail TEXT
            ) STRICT
            """,
            """
            INSERT INTO journal (seq, transaction_id, at, from_state, to_state, detail)
                SELECT seq, transaction_id, at, from_state, to_state, detail FROM journal_before_7 ORDER BY seq
            """,
            "DROP TABLE journal_before_7",
            "CREATE INDEX journal_transaction_id ON journal (transaction_id)",
            "DROP INDEX transactions_original_id",
            "CREATE INDEX transactions_original_id ON transactions (original_id) WHERE original_id IS NOT NULL",
            "DROP INDEX transactions_identifier",
            "DROP INDEX transactions_identifier_once",
            """
            CREATE UNIQUE INDEX transactions_identifier_once ON transactions (identifier, identifier_scope)
                WHERE request_digest IS NOT NULL
            """,
            """
            CREATE INDEX transactions_identifier ON transactions (identifier)
                WHERE request_digest IS NULL AND identifier IS NOT NULL
            """,
        ])
}
