import Glibc
import Testing

@testable import Ledger

extension Ledger {
    fileprivate func currentThread() -> pthread_t { pthread_self() }
}

@Suite struct ClosingTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func everyCallRunsOnTheLedgersOwnThread() async throws {
        let first = try await Ledger.open(directory: directory.path)
        let second = try await Ledger.open(directory: directory.path)
        let thread = await first.currentThread()
        for _ in 0..<20 { #expect(await first.currentThread() == thread) }
        #expect(await second.currentThread() != thread)
        await first.close()
        await second.close()
    }

    @Test func aClosedLedgerSaysSoAndClosingAgainDoesNothing() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        await ledger.close()
        await ledger.close()
        let calls = await withTaskGroup(of: LedgerError.Code?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    await failure { () throws(LedgerError) in
                        try await ledger.begin(newSale("t\(number)"), at: start)
                    }?.code
                }
            }
            return await group.reduce(into: [LedgerError.Code?]()) { $0.append($1) }
        }
        #expect(calls == Array(repeating: .closed, count: 50))
        let question = await failure { () throws(LedgerError) in try await ledger.transactions() }
        #expect(question?.code == .closed)
    }

    @Test func whatWasAskedWhileClosingIsWrittenOrRefused() async throws {
        let ledger = try await Ledger.open(directory: directory.path)
        let succeeded = await withTaskGroup(of: Bool?.self) { group in
            for number in 0..<60 {
                group.addTask {
                    if number == 20 {
                        await ledger.close()
                        return nil
                    }
                    let error = await failure { () throws(LedgerError) in
                        try await ledger.begin(newSale("t\(number)"), at: start)
                    }
                    #expect(error == nil || error?.code == .closed)
                    return error == nil
                }
            }
            return await group.reduce(0) { $0 + ($1 == true ? 1 : 0) }
        }
        let again = try await Ledger.open(directory: directory.path)
        #expect(try await again.transactions().count == succeeded)
        await again.close()
    }

    @Test func aLedgerThatIsOnlyDroppedLosesNothing() async throws {
        do {
            let ledger = try await Ledger.open(directory: directory.path)
            try await ledger.begin(newSale("t1"), at: start)
        }
        let again = try await Ledger.open(directory: directory.path)
        #expect(try await again.transactions().map(\.id) == ["t1"])
        await again.close()
    }
}
