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
    @Test func theStatementsAreThoseOfTheDocument() throws {
        for migration in Schema.migrations {
            #expect(try Document.statements(ofVersion: migration.version) == migration.statements)
        }
    }

    @Test func theFileIsWhatTheStatementsOfTheDocumentMake() async throws {
        let byHand = directory.path + "/by-hand.sqlite"
        try writeFile(byHand, [])
        let connection = try SQLiteConnection(path: byHand, readOnly: false, busyTimeout: 0)
        for version in 1...Schema.currentVersion {
            for statement in try Document.statements(ofVersion: version) { try connection.run(statement) }
        }
        let promised = try connection.rows(Self.schema) { (row) throws(LedgerError) in row.text(0) ?? "" }
        let ledger = try await Ledger.open(directory: directory.path)
        #expect(try await ledger.column(Self.schema) == promised)
        #expect(promised.count == 18)
        await ledger.close()
    }

    private static let schema =
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid"

    @Test func theColumnsAreThoseThatAreSelected() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let columns = try await ledger.column("SELECT name FROM pragma_table_info('transactions') ORDER BY cid")
        #expect(columns == TransactionColumn.allCases.map(\.name))
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
        ("identifier = 'x' AND request_digest IS NULL", "transactions_identifier"),
        ("identifier = 'x' AND request_digest IS NOT NULL", "transactions_identifier_once"),
        ("original_id = 'x'", "transactions_original_id"),
        ("state = 'x'", "transactions_state"), ("created_at >= 1", "transactions_created_at"),
        ("batch = 1", "transactions_batch"),
        ("resolve_at <= 1 ORDER BY resolve_at, rowid LIMIT 1", "transactions_resolve_at"),
        (
            "identifier_scope = 'x' AND identifier = 'x' AND request_digest IS NOT NULL",
            "transactions_identifier_once"
        ),
    ])
    func aQuestionUsesItsIndex(condition: String, index: String) async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let connection = "EXPLAIN QUERY PLAN SELECT * FROM transactions WHERE \(condition)"
        let plan = try await ledger.plan(connection)
        #expect(plan.contains(index) && !plan.contains("TEMP B-TREE"))
        await ledger.close()
    }
}

extension Ledger {
    fileprivate func plan(_ sql: String) throws(LedgerError) -> String {
        try connected().rows(sql) { (row) throws(LedgerError) in row.text(3) ?? "" }.joined()
    }
}
