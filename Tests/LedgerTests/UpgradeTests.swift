import Testing

@testable import Ledger

/// A file of an older version, made by the statements of that version, becomes one of the current version.
@Suite struct UpgradeTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let schema = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name"

    private func schema(of path: String) throws -> [String] {
        try SQLiteConnection(path: path, readOnly: true, busyTimeout: 0).rows(Self.schema) {
            (row) throws(LedgerError) in row.text(0) ?? ""
        }
    }

    private func makeVersion1() throws {
        try writeFile(directory.file, [])
        let connection = try SQLiteConnection(path: directory.file, readOnly: false, busyTimeout: 0)
        for statement in try Document.statements(ofVersion: 1) { try connection.run(statement) }
        let head = "INSERT INTO transactions (id, kind, state, created_at, updated_at, amount, tip, currency, msi"
        try connection.run("\(head), identifier) VALUES ('s1', 'sale', 'approved', 7, 8, 10000, 1500, 484, 3, 'order')")
        try connection.run("\(head), identifier) VALUES ('s2', 'sale', 'unknown', 7, 8, 5, 0, 484, 0, 'order')")
        try connection.run("\(head), original_id) VALUES ('r1', 'refund', 'approved', 9, 9, 100, 0, 484, 0, 's1')")
        try connection.run("INSERT INTO journal (transaction_id, at, to_state) VALUES ('s1', 7, 'created')")
        try connection.run("PRAGMA user_version = 1")
        try connection.run("PRAGMA application_id = 1380674663")
        connection.close()
    }

    @Test func aFileOfVersion1KeepsItsRowsAndGetsTheColumnsOfVersion2() async throws {
        try makeVersion1()
        let ledger = try await Ledger.open(directory: directory.path)
        var expected = TransactionRecord(
            id: "s1", kind: .sale, state: "approved", createdAt: 7, updatedAt: 8, amount: 10_000, tip: 1_500,
            currency: 484, msi: 3)
        expected.identifier = "order"
        #expect(try await ledger.transaction("s1") == expected)
        #expect(expected.identifierScope == "" && expected.requestDigest == nil && expected.resolveTries == 0)
        #expect(try await ledger.refunds(of: "s1").map(\.id) == ["r1"])
        #expect(try await ledger.journal(of: "s1").map(\.sequence) == [1])
        #expect(try await ledger.due(at: .max).isEmpty)

        let rule = IdentifierRule.once(scope: "", digest: digest)
        let begun = try await ledger.begin(newSale("s3", identifier: "order"), identifier: rule, at: start)
        #expect(begun.record.id == "s3")
        try await ledger.schedule("s2", resolveAt: 50, tries: 1)
        #expect(try await ledger.due(at: 50).map(\.id) == ["s2"])
        try await ledger.checkIntegrity()
        await ledger.close()

        let new = directory.path + "/new"
        await (try Ledger.open(directory: new)).close()
        #expect(try schema(of: directory.file) == schema(of: new + "/ledger.sqlite"))
        await (try Ledger.openReadOnly(directory: directory.path)).close()
    }

    /// Version 7 writes the journal once more: every line keeps its number, and a new one goes on after the highest.
    @Test func theLinesOfAnOlderJournalKeepTheirNumbers() async throws {
        try makeVersion1()
        let connection = try SQLiteConnection(path: directory.file, readOnly: false, busyTimeout: 0)
        let line = "INSERT INTO journal (seq, transaction_id, at, from_state, to_state, detail) VALUES"
        try connection.run("\(line) (40, 's2', 9, 'created', 'unknown', 'host silent')")
        try connection.run("\(line) (12, 's1', 8, 'created', 'approved', NULL)")
        connection.close()

        let ledger = try await Ledger.open(directory: directory.path)
        #expect(
            try await ledger.journal(of: "s1") == [
                JournalEntry(sequence: 1, transactionID: "s1", at: 7, from: nil, to: "created", detail: nil),
                JournalEntry(sequence: 12, transactionID: "s1", at: 8, from: "created", to: "approved", detail: nil),
            ])
        try await ledger.note("s2", detail: "asked again", at: 10)
        #expect(
            try await ledger.journal(of: "s2") == [
                JournalEntry(
                    sequence: 40, transactionID: "s2", at: 9, from: "created", to: "unknown", detail: "host silent"),
                JournalEntry(
                    sequence: 41, transactionID: "s2", at: 10, from: "unknown", to: "unknown", detail: "asked again"),
            ])
        await ledger.close()
    }

    /// An identifier is found whether it was used once (version 2) or is older, and the newest comes first.
    @Test func identifiersOfAnOlderFileAreFoundBesideNewOnes() async throws {
        try makeVersion1()
        let ledger = try await Ledger.open(directory: directory.path)
        let rule = IdentifierRule.once(scope: "sale", digest: digest)
        try await ledger.begin(newSale("s3", identifier: "order"), identifier: rule, at: start)
        #expect(try await ledger.byIdentifier("order").map(\.id) == ["s3", "s2", "s1"])
        #expect(try await ledger.byIdentifier("order", scope: "sale").map(\.id) == ["s3"])
        #expect(try await ledger.byIdentifier("order", scope: "").map(\.id) == ["s2", "s1"])
        #expect(try await ledger.byIdentifier("other").isEmpty)
        await ledger.close()
    }

    @Test func aReaderLeavesAnOlderFileAlone() async throws {
        try makeVersion1()
        let before = try readFile(directory.file)
        let error = await failure { [path = directory.path] () throws(LedgerError) in
            try await Ledger.openReadOnly(directory: path)
        }
        #expect(error?.code == .openFailed)
        #expect(error?.sentence.contains("older format 1") == true)
        #expect(try readFile(directory.file) == before)
    }
}
