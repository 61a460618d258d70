extension Schema {
    /// What it takes to answer a request once, and to finish what was left open. Rows of version 1 have none of it.
    static let migration2 = Migration(
        version: 2,
        statements: [
            "ALTER TABLE transactions ADD COLUMN owner TEXT",
            "ALTER TABLE transactions ADD COLUMN identifier_scope TEXT NOT NULL DEFAULT ''",
            """
            ALTER TABLE transactions ADD COLUMN request_digest TEXT
                CHECK (length(request_digest) = 64 AND request_digest NOT GLOB '*[^0-9a-f]*')
            """,
            """
            ALTER TABLE transactions ADD COLUMN approved_amount INTEGER
                CHECK (approved_amount BETWEEN 0 AND 999999999999)
            """,
            "ALTER TABLE transactions ADD COLUMN host_reference TEXT",
            "ALTER TABLE transactions ADD COLUMN entry_mode TEXT",
            "ALTER TABLE transactions ADD COLUMN resolve_at INTEGER",
            "ALTER TABLE transactions ADD COLUMN resolve_tries INTEGER NOT NULL DEFAULT 0 CHECK (resolve_tries >= 0)",
            """
            CREATE UNIQUE INDEX transactions_identifier_once ON transactions (identifier_scope, identifier)
                WHERE request_digest IS NOT NULL
            """,
            "CREATE INDEX transactions_resolve_at ON transactions (resolve_at) WHERE resolve_at IS NOT NULL",
        ])
}
