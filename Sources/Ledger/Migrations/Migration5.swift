extension Schema {
    /// Sales that were approved without the host, until it has heard of them.
    static let migration5 = Migration(
        version: 5,
        statements: [
            """
            ALTER TABLE transactions ADD COLUMN offline TEXT
                CHECK (offline IN ('stored', 'forwarded', 'refused', 'dropped'))
            """,
            """
            CREATE TABLE stored_payments (
                transaction_id TEXT PRIMARY KEY NOT NULL REFERENCES transactions (id),
                state TEXT NOT NULL CHECK (state IN ('reserved', 'stored')),
                amount INTEGER NOT NULL CHECK (amount BETWEEN 0 AND 1999999999998),
                currency INTEGER NOT NULL CHECK (currency BETWEEN 0 AND 999),
                stored_at INTEGER NOT NULL,
                sealed BLOB,
                may_have_left INTEGER NOT NULL DEFAULT 0 CHECK (may_have_left IN (0, 1)),
                due_at INTEGER NOT NULL,
                tries INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
                CHECK ((state = 'stored') = (sealed IS NOT NULL))
            ) STRICT
            """,
            "CREATE INDEX stored_payments_due_at ON stored_payments (due_at) WHERE state = 'stored'",
            "CREATE INDEX transactions_offline ON transactions (offline) WHERE offline IS NOT NULL",
        ])
}
