import Glibc
import Testing

@testable import Ledger

extension Ledger {
    fileprivate func limitPages(_ pages: Int64) throws(LedgerError) {
        try connected().run("PRAGMA max_page_count = \(pages)")
    }

    fileprivate func pages() throws(LedgerError) -> Int64 {
        try connected().integer("PRAGMA page_count") ?? 0
    }

    /// As another program would, which does not know what a column may hold.
    fileprivate func put(_ value: String, into column: String) throws(LedgerError) {
        try connected().run("PRAGMA ignore_check_constraints = ON")
        try connected().run("UPDATE transactions SET \(column) = \(value)")
    }

    fileprivate func holdWriteLock() throws(LedgerError) {
        try connected().run("BEGIN IMMEDIATE")
    }

    fileprivate func releaseWriteLock() throws(LedgerError) {
        try connected().run("ROLLBACK")
    }
}

@Suite struct DamageTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func filledFile() async throws -> [UInt8] {
        let ledger = try await Ledger.open(directory: directory.path)
        for number in 0..<40 {
            try await ledger.begin(newSale("t\(number)", identifier: "order \(number)"), at: start)
        }
        await ledger.close()
        return try readFile(directory.file)
    }

    private func openingError() async -> LedgerError? {
        await failure { [path = directory.path] () throws(LedgerError) in
            await (try Ledger.open(directory: path)).close()
        }
    }

    @Test func overwrittenPagesAreCorruptAndStayAsTheyAre() async throws {
        var bytes = try await filledFile()
        bytes.replaceSubrange(4_096..<12_288, with: repeatElement(0xA5, count: 8_192))
        try writeFile(directory.file, bytes)
        #expect(await openingError()?.code == .corrupt)
        #expect(try readFile(directory.file) == bytes)
    }

    @Test func aFileThatIsNoDatabaseIsCorrupt() async throws {
        let bytes = [UInt8](repeating: 0x41, count: 8_192)
        try writeFile(directory.file, bytes)
        #expect(await openingError()?.code == .corrupt)
        #expect(try readFile(directory.file) == bytes)
    }

    @Test(arguments: [1, 100, 4_096, 5_000, 20_000])
    func aTruncatedFileIsCorrupt(length: Int) async throws {
        let bytes = try await filledFile()
        try #require(bytes.count > length)
        try writeFile(directory.file, Array(bytes[..<length]))
        #expect(await openingError()?.code == .corrupt)
    }

    /// As if the file were too long to look at every page.
    private func openingErrorOfALongFile() -> LedgerError? {
        do throws(LedgerError) {
            let connection = try SQLiteConnection(path: directory.file, readOnly: false, busyTimeout: 0)
            try LedgerFile(connection: connection, directory: directory.path, pagesToCheck: 0).open(readOnly: false)
            return nil
        } catch {
            return error
        }
    }

    @Test func theNewestLinesOfALongFileAreChecked() async throws {
        _ = try await filledFile()
        #expect(openingErrorOfALongFile() == nil)
        let other = try SQLiteConnection(path: directory.file, readOnly: false, busyTimeout: 0)
        try other.run("DELETE FROM transactions WHERE id = 't7'")
        other.close()
        #expect(openingErrorOfALongFile()?.code == .corrupt)
    }

    @Test(arguments: [5_000, 20_000])
    func aTruncatedLongFileIsCorrupt(length: Int) async throws {
        let bytes = try await filledFile()
        try writeFile(directory.file, Array(bytes[..<length]))
        #expect(openingErrorOfALongFile()?.code == .corrupt)
    }

    /// Whatever a byte turns into: an error or a ledger that answers, never a trap.
    @Test(arguments: [UInt64(1), 2, 3, 4])
    func flippedBytesNeverTrap(seed: UInt64) async throws {
        let bytes = try await filledFile()
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        var refused = 0
        for _ in 0..<25 {
            var damaged = bytes
            for _ in 0..<24 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                damaged[Int(state >> 33) % damaged.count] ^= UInt8(truncatingIfNeeded: state >> 24) | 1
            }
            try writeFile(directory.file, damaged)
            let error = await failure { [path = directory.path] () throws(LedgerError) in
                let ledger = try await Ledger.open(directory: path)
                let answer = await failure { () throws(LedgerError) in
                    for record in try await ledger.transactions() { _ = try await ledger.journal(of: record.id) }
                    _ = try await ledger.totals()
                    try await ledger.begin(newSale("new"), at: start)
                }
                await ledger.close()
                if let answer { throw answer }
            }
            if error != nil { refused += 1 }
        }
        #expect(refused > 0)
    }

    @Test func aRowOfAnUnknownKindIsCorrupt() async throws {
        try writeFile(directory.file, [])
        let connection = try SQLiteConnection(path: directory.file, readOnly: false, busyTimeout: 0)
        let values = TransactionColumn.allCases.map { _ in "1" }.joined(separator: ", ")
        let error = await failure { () throws(LedgerError) in
            _ = try connection.rows("SELECT \(values)") { (row) throws(LedgerError) in
                try TransactionRecord(row: row)
            }
        }
        #expect(error?.code == .corrupt)
    }

    @Test func nothingIsWrittenToAFileThatWasTakenAway() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("sale"), at: start)
        let away = directory.file + ".away"
        try #require(rename(directory.file, away) == 0)
        let step = Transition("sale", from: ["created"], to: "approved")
        let begin = await failure { () throws(LedgerError) in try await ledger.begin(newSale("t1"), at: start) }
        #expect(begin?.code == .notWritable)
        let beginRefund = await failure { () throws(LedgerError) in
            try await ledger.beginRefund(
                newSale("r1"), ofOriginal: "sale", countedStates: [], originalStates: ["created"],
                limitMinorUnits: 10_000, at: start)
        }
        #expect(beginRefund?.code == .notWritable)
        let advance = await failure { () throws(LedgerError) in
            try await ledger.advance("sale", from: ["created"], to: "approved", at: start)
        }
        #expect(advance?.code == .notWritable)
        let advanceAll = await failure { () throws(LedgerError) in try await ledger.advance([step], at: start) }
        #expect(advanceAll?.code == .notWritable)
        let completeRefund = await failure { () throws(LedgerError) in
            try await ledger.completeRefund(
                step, approvedStates: [], saleStates: [], complete: "refunded", partial: "approved", at: start)
        }
        #expect(completeRefund?.code == .notWritable)
        let note = await failure { () throws(LedgerError) in try await ledger.note("sale", detail: "?", at: start) }
        #expect(note?.code == .notWritable)
        try #require(rename(away, directory.file) == 0)
        #expect(try await ledger.transactions().map(\.state) == ["created"])
        #expect(try await ledger.journal(of: "sale").count == 1)
        try await ledger.advance([step], at: start)
        await ledger.close()
        #expect(begin?.sentence.contains("removed or replaced while this program used it") == true)
        #expect(begin?.nextStep.contains("put the file back or restore the last backup") == true)
        #expect(begin?.nextStep.contains("permission") == false)
    }

    @Test(arguments: [false, true])
    func aQuestionAboutAFileThatWasTakenAwaySaysSo(withItsLog: Bool) async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("sale"), at: start)
        #expect(unlink(directory.file) == 0)
        if withItsLog { #expect(unlink(directory.file + "-wal") == 0) }
        let error = await failure { () throws(LedgerError) in try await ledger.transactions() }
        #expect(error?.sentence.contains(withItsLog ? "was removed or replaced" : "is gone, and its log") == true)
        #expect(error?.nextStep.contains("permission") == false)
        await ledger.close()
    }

    @Test(arguments: ["amount", "tip"], [Int64.min, -1, 1_000_000_000_000, .max])
    func anAmountThatTheSchemaForbidsIsCorrupt(column: String, amount: Int64) async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t1"), at: start)
        try await ledger.put("\(amount)", into: column)
        #expect(await failure { () throws(LedgerError) in try await ledger.transaction("t1") }?.code == .corrupt)
        await ledger.close()
    }

    @Test func aFullDiskIsItsOwnErrorAndTheLedgerStaysUsable() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t0"), at: start)
        try await ledger.limitPages(try await ledger.pages())
        var written = 1
        var error: LedgerError?
        while error == nil, written < 1_000 {
            let new = newSale("t\(written)", identifier: String(repeating: "i", count: 500))
            error = await failure { () throws(LedgerError) in try await ledger.begin(new, at: start) }
            if error == nil { written += 1 }
        }
        #expect(error?.code == .diskFull)
        #expect(error?.sentence.contains("no room is left") == true)
        #expect(try await ledger.transactions(limit: 10_000).count == written)
        try await ledger.checkIntegrity()
        try await ledger.limitPages(10_000)
        try await ledger.begin(newSale("later"), at: start)
        #expect(try await ledger.transaction("later").state == "created")
        await ledger.close()
        let again = try await Ledger.open(directory: directory.path)
        #expect(try await again.transactions(limit: 10_000).count == written + 1)
        await again.close()
    }

    @Test func aLockThatIsNotReleasedEndsInBusyAndTheLedgerStaysUsable() async throws {
        let holder = try await Ledger.open(directory: directory.path)
        let other = try await Ledger.open(directory: directory.path, busyTimeout: 1)
        try await holder.holdWriteLock()
        let error = await failure { () throws(LedgerError) in try await other.begin(newSale("t1"), at: start) }
        #expect(error?.code == .busy)
        #expect(try await other.transactions().isEmpty)
        try await holder.releaseWriteLock()
        try await other.begin(newSale("t1"), at: start)
        await holder.close()
        await other.close()
    }

    /// The numbers are those of https://sqlite.org/rescode.html.
    @Test(
        arguments: [
            (13, 0, "diskFull"), (778, ENOSPC, "diskFull"), (778, EDQUOT, "diskFull"), (778, EFBIG, "diskFull"),
            (4_874, ENOSPC, "diskFull"), (778, EIO, "sqlite"), (1_034, EIO, "sqlite"), (14, EACCES, "notWritable"),
            (14, ENOENT, "openFailed"), (14, ENOSPC, "diskFull"), (8, 0, "notWritable"), (1_032, 0, "notWritable"),
            (778, EROFS, "notWritable"), (11, ENOSPC, "corrupt"), (779, 0, "corrupt"), (26, 0, "corrupt"),
            (8_458, 0, "corrupt"), (5, 0, "busy"), (261, 0, "busy"), (6, 0, "busy"), (275, 0, "invalid"),
            (18, 0, "invalid"),
            (7, 0, "other"), (1, 0, "other"), (999_999, 0, "other"),
        ] as [(Int32, Int32, String)])
    func aResultOfSQLiteHasOneMeaning(result: Int32, errno: Int32, meaning: String) {
        let expected = meaning == "sqlite" ? "other" : meaning
        #expect("\(SQLiteResult.meaning(result, errno: errno))" == expected)
    }

    @Test(
        arguments: [
            (1_034, "SQLITE_IOERR_FSYNC"), (5, "SQLITE_BUSY"), (7_434, "SQLITE_IOERR (7434)"),
            (200, "SQLite result 200"),
        ] as [(Int32, String)])
    func aResultOfSQLiteIsReportedByName(result: Int32, name: String) {
        #expect(SQLiteResult.name(result) == name)
    }
}
