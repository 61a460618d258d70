import Testing

@testable import Ledger

extension Ledger {
    fileprivate func column(_ sql: String) throws(LedgerError) -> [String] {
        try connected().rows(sql) { (row) throws(LedgerError) in row.text(0) ?? "" }
    }
}

@Suite struct SchemaTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The document is the promise; code that differs from it is wrong.
    @Test func theFileHasTheStatementsOfTheDocument() async throws {
        let page =
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
            .joined(separator: "/") + "/docs/ledger-schema.md"
        let document = String(decoding: try readFile(page), as: UTF8.self)
        let promised = document.split(separator: "```sql\n").dropFirst().compactMap {
            $0.split(separator: "```").first
        }.flatMap { $0.split(separator: ";\n") }.map { statement in
            String(statement.drop { $0 == "\n" })
        }.filter { !$0.isEmpty }
        let ledger = try await Ledger.open(directory: directory.path)
        let written = try await ledger.column(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
        #expect(written == promised)
        #expect(written.count == 7)
        await ledger.close()
    }

    @Test func theColumnsAreThoseThatAreSelected() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let columns = try await ledger.column("SELECT name FROM pragma_table_info('transactions') ORDER BY cid")
        #expect(columns == TransactionColumn.allCases.map(\.rawValue))
        await ledger.close()
    }

    /// Words of names that a secret could hide behind.
    @Test func noColumnHasThePlaceForASecret() async throws {
        let secrets: Set = [
            "pan", "track", "track1", "track2", "pin", "token", "usertoken", "cvv", "cvc", "key", "secret", "expiry",
            "number", "password", "ksn", "wallet",
        ]
        let ledger = try await Ledger.open(directory: directory.path)
        let columns = try await ledger.column(
            "SELECT p.name FROM sqlite_schema s JOIN pragma_table_info(s.name) p WHERE s.type = 'table'")
        #expect(columns.count >= TransactionColumn.allCases.count)
        for column in columns {
            #expect(secrets.isDisjoint(with: column.split(separator: "_").map(String.init)), "\(column)")
        }
        await ledger.close()
    }

    @Test(arguments: ["47617390", "119", "01190", "ABCD", ""])
    func theLastFourDigitsAreFourDigits(text: String) async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        var change = TransactionChange()
        change.lastFour = text
        let error = await failure { [change] () throws(LedgerError) in
            try await ledger.advance("t1", from: ["created"], to: "approved", change: change, at: start)
        }
        #expect(error?.code == .invalid)
        #expect(error.map { !$0.description.contains("47617390") } == true)
        #expect(try await ledger.transaction("t1").state == "created")
        await ledger.close()
    }

    @Test func migrationsAreNumberedInOrder() {
        #expect(Schema.migrations.map(\.version) == Array(1...Schema.currentVersion))
    }

    @Test(arguments: [
        ("identifier = 'x'", "transactions_identifier"), ("original_id = 'x'", "transactions_original_id"),
        ("state = 'x'", "transactions_state"), ("created_at >= 1", "transactions_created_at"),
    ])
    func aQuestionUsesItsIndex(condition: String, index: String) async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let connection = "EXPLAIN QUERY PLAN SELECT * FROM transactions WHERE \(condition)"
        let plan = try await ledger.plan(connection)
        #expect(plan.contains(index))
        await ledger.close()
    }
}

extension Ledger {
    fileprivate func plan(_ sql: String) throws(LedgerError) -> String {
        try connected().rows(sql) { (row) throws(LedgerError) in row.text(3) ?? "" }.joined()
    }
}
