extension Schema {
    /// What has been told to a merchant's server, and what has not yet.
    static let migration3 = Migration(
        version: 3,
        statements: [
            """
            CREATE TABLE deliveries (
                transaction_id TEXT NOT NULL REFERENCES transactions (id),
                kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 64),
                state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
                tries INTEGER NOT NULL CHECK (tries >= 0),
                due_at INTEGER,
                updated_at INTEGER NOT NULL,
                PRIMARY KEY (transaction_id, kind),
                CHECK ((state = 'pending') = (due_at IS NOT NULL))
            ) STRICT
            """,
            "CREATE INDEX deliveries_due_at ON deliveries (due_at) WHERE due_at IS NOT NULL",
        ])
}
