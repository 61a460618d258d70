import Testing

@testable import Ledger

/// Questions have a connection of their own, so that they never hold up a payment.
@Suite struct ReaderTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func aLongQuestionDoesNotHoldUpAPayment() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let gate = try Gate()
        let question = Task { () throws(LedgerError) in
            try await ledger.ask { (connection) throws(LedgerError) in
                gate.wait()
                return try connection.integer("SELECT count(*) FROM transactions")
            }
        }
        try await ledger.begin(newSale("t"), at: start)
        #expect(try await ledger.advance("t", from: ["created"], to: "approved", at: start).state == "approved")
        #expect(try await ledger.transaction("t").state == "approved")
        gate.open()
        #expect(try await question.value == 1)
        await ledger.close()
    }

    @Test func whatACallHasCommittedIsInEveryLaterAnswer() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        for number in 1...20 {
            try await ledger.begin(newSale("t\(number)"), at: start, durability: number % 2 == 0 ? .flushed : .written)
            #expect(try await ledger.transactions(limit: 100).count == number)
            #expect(try await ledger.totals().map(\.count) == [number])
            #expect(try await ledger.countByState() == ["created": number])
            #expect(try await ledger.unresolved(states: ["created"]).count == number)
        }
        await ledger.close()
    }

    @Test func aReaderCannotWrite() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let error = await failure { () throws(LedgerError) in
            try await ledger.ask { (connection) throws(LedgerError) in try connection.run("DELETE FROM journal") }
        }
        #expect(error?.code == .notWritable)
        await ledger.close()
    }

    @Test func everyQuestionToAClosedLedgerSaysSo() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        try await ledger.begin(newSale("t"), at: start)
        let export = try await ledger.export()
        #expect(try await ledger.transactions().count == 1)
        await ledger.close()
        let errors = [
            await failure { () throws(LedgerError) in try await ledger.transactions() },
            await failure { () throws(LedgerError) in try await ledger.totals() },
            await failure { () throws(LedgerError) in try await ledger.countByState() },
            await failure { () throws(LedgerError) in try await ledger.checkIntegrity() },
            await failure { () throws(LedgerError) in try await ledger.export() },
            await failure { () throws(LedgerError) in try await ledger.backup(to: "/nowhere") },
        ]
        #expect(errors.allSatisfy { $0?.code == .closed })
        // It has a connection of its own.
        var ids: [String] = []
        for try await record in export { ids.append(record.id) }
        #expect(ids == ["t"])
    }
}
