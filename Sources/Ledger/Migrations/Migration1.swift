extension Schema {
    /// Transactions, and the journal of their steps.
    static let migration1 = Migration(version: 1, statements: [transactions, journal] + indexes)

    private static let transactions = """
        CREATE TABLE transactions (
            id TEXT PRIMARY KEY NOT NULL CHECK (length(id) BETWEEN 1 AND 64),
            kind TEXT NOT NULL CHECK (kind IN ('sale', 'refund')),
            state TEXT NOT NULL CHECK (length(state) BETWEEN 1 AND 64),
            outcome TEXT,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            approved_at INTEGER,
            amount INTEGER NOT NULL CHECK (amount BETWEEN 0 AND 999999999999),
            tip INTEGER NOT NULL CHECK (tip BETWEEN 0 AND 999999999999),
            currency INTEGER NOT NULL CHECK (currency BETWEEN 0 AND 999),
            identifier TEXT,
            reference TEXT,
            email TEXT,
            phone TEXT,
            msi INTEGER NOT NULL CHECK (msi BETWEEN 0 AND 99),
            original_id TEXT REFERENCES transactions (id),
            attempt_id TEXT UNIQUE,
            reader TEXT,
            response_code TEXT,
            authorisation TEXT,
            last_four TEXT CHECK (last_four GLOB '[0-9][0-9][0-9][0-9]'),
            card_brand TEXT,
            arqc TEXT,
            aid TEXT,
            app_label TEXT,
            cardholder_name TEXT,
            bank TEXT,
            account_type TEXT,
            status_code TEXT,
            status_info TEXT,
            batch INTEGER CHECK (batch >= 1),
            receipt TEXT,
            CHECK ((kind = 'refund') = (original_id IS NOT NULL))
        ) STRICT
        """

    private static let journal = """
        CREATE TABLE journal (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            transaction_id TEXT NOT NULL REFERENCES transactions (id),
            at INTEGER NOT NULL,
            from_state TEXT,
            to_state TEXT NOT NULL,
            detail TEXT
        ) STRICT
        """

    private static let indexes = [
        "CREATE INDEX transactions_identifier ON transactions (identifier)",
        "CREATE INDEX transactions_original_id ON transactions (original_id)",
        "CREATE INDEX transactions_state ON transactions (state)",
        "CREATE INDEX transactions_created_at ON transactions (created_at)",
        "CREATE INDEX journal_transaction_id ON journal (transaction_id)",
    ]
}
