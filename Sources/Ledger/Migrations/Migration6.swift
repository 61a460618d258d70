extension Schema {
    /// How the host was told to give money back.
    static let migration6 = Migration(
        version: 6,
        statements: [
            """
            ALTER TABLE transactions ADD COLUMN returned_as TEXT
                CHECK (returned_as IN ('void', 'refund'))
            """
        ])
}
