extension Schema {
    /// Settlement: numbered batches, and what each held when it was counted.
    static let migration4 = Migration(
        version: 4,
        statements: [
            """
            CREATE TABLE batches (
                batch INTEGER PRIMARY KEY NOT NULL CHECK (batch >= 1),
                currency INTEGER NOT NULL CHECK (currency BETWEEN 0 AND 999),
                state TEXT NOT NULL CHECK (state IN ('closing', 'differs', 'closed')),
                opened_at INTEGER NOT NULL,
                closed_at INTEGER,
                forced INTEGER NOT NULL CHECK (forced IN (0, 1)),
                host_answer TEXT CHECK (host_answer IN ('agreed', 'evened', 'differs', 'notKept')),
                host_sales INTEGER,
                host_sales_amount INTEGER,
                host_refunds INTEGER,
                host_refunds_amount INTEGER,
                CHECK ((state = 'closed') = (closed_at IS NOT NULL))
            ) STRICT
            """,
            """
            CREATE TABLE batch_totals (
                batch INTEGER NOT NULL REFERENCES batches (batch),
                kind TEXT NOT NULL CHECK (kind IN ('sale', 'refund')),
                card_brand TEXT NOT NULL,
                count INTEGER NOT NULL CHECK (count >= 1),
                amount INTEGER NOT NULL CHECK (amount BETWEEN 0 AND 9999999999999999),
                tip INTEGER NOT NULL CHECK (tip BETWEEN 0 AND 9999999999999999),
                PRIMARY KEY (batch, card_brand, kind)
            ) STRICT
            """,
            "CREATE UNIQUE INDEX batches_unclosed ON batches (currency) WHERE state <> 'closed'",
            "CREATE INDEX transactions_batch ON transactions (batch) WHERE batch IS NOT NULL",
        ])
}
