import Glibc
import Testing

@testable import Ledger

extension Ledger {
    fileprivate func pragma(_ text: String) throws(LedgerError) { _ = try connected().text("PRAGMA \(text)") }

    fileprivate func holdWriteLock() throws(LedgerError) { try connected().run("BEGIN IMMEDIATE") }

    fileprivate func drop(_ table: String) throws(LedgerError) { try connected().run("DROP TABLE \(table)") }

    fileprivate func leaveNoRoom() throws(LedgerError) {
        let pages = try connected().integer("PRAGMA page_count") ?? 0
        try connected().run("PRAGMA max_page_count = \(pages)")
    }
}

/// Every code of the ledger, by what brings it about. A new code needs a scenario here.
@Suite struct ReachedLedgerErrorTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("every code is reached", arguments: LedgerError.Code.Kind.allCases)
    func reached(kind: LedgerError.Code.Kind) async throws {
        #expect(try await error(kind)?.code.kind == kind)
    }

    private func opening(readOnly: Bool = false) async -> LedgerError? {
        await failure { [path = directory.path] () throws(LedgerError) in
            await (readOnly ? try Ledger.openReadOnly(directory: path) : try Ledger.open(directory: path)).close()
        }
    }

    /// The error of something that is done with an open ledger.
    private func using(_ body: (Ledger) async throws(LedgerError) -> Void) async throws -> LedgerError? {
        let ledger = try await Ledger.open(directory: directory.path)
        let error = await failure { () throws(LedgerError) in try await body(ledger) }
        await ledger.close()
        return error
    }

    private func beginRefund(_ id: String, _ ledger: Ledger) async throws(LedgerError) {
        try await ledger.beginRefund(
            newSale(id, amount: 8_000), ofOriginal: "sale", countedStates: ["created"], originalStates: ["approved"],
            limitMinorUnits: 10_000, at: start)
    }

    private func error(_ kind: LedgerError.Code.Kind) async throws -> LedgerError? {
        switch kind {
        case .openFailed:
            #expect(chmod(directory.path, 0o777) == 0)
            return await opening()
        case .noLedger: return await opening(readOnly: true)
        case .notWritable:
            await (try Ledger.open(directory: directory.path)).close()
            let reader = try await Ledger.openReadOnly(directory: directory.path)
            let error = await failure { () throws(LedgerError) in try await reader.begin(newSale("a"), at: start) }
            await reader.close()
            return error
        case .corrupt:
            try writeFile(directory.file, [UInt8](repeating: 0x41, count: 8_192))
            return await opening()
        case .diskFull:
            return try await using { ledger throws(LedgerError) in
                try await ledger.leaveNoRoom()
                for number in 0..<1_000 {
                    try await ledger.begin(
                        newSale("t\(number)", identifier: String(repeating: "i", count: 500)), at: start)
                }
            }
        case .newerSchema:
            _ = try await using { ledger throws(LedgerError) in try await ledger.pragma("user_version = 99") }
            return await opening()
        case .conflict:
            return try await using { ledger throws(LedgerError) in
                try await ledger.begin(newSale("a"), at: start)
                try await ledger.advance("a", from: ["approved"], to: "refunded", at: start)
            }
        case .notFound: return try await using { ledger throws(LedgerError) in _ = try await ledger.transaction("a") }
        case .duplicate:
            return try await using { ledger throws(LedgerError) in
                try await ledger.begin(newSale("a"), at: start)
                try await ledger.begin(newSale("a"), at: start)
            }
        case .limitExceeded:
            return try await using { ledger throws(LedgerError) in
                try await ledger.begin(newSale("sale", state: "approved"), at: start)
                try await beginRefund("first", ledger)
                try await beginRefund("second", ledger)
            }
        case .planned:
            return try await using { ledger throws(LedgerError) in
                try await ledger.begin(newSale("sale", state: "approved"), at: start)
                let sale = try await ledger.transaction("sale")
                let owed = Transition("sale", from: [sale.state], to: sale.state, recovery: .due(at: start, tries: 0))
                try await ledger.advance([owed], at: start)
                try await beginRefund("refund", ledger)
            }
        case .busy:
            let holder = try await Ledger.open(directory: directory.path)
            let other = try await Ledger.open(directory: directory.path, busyTimeout: 1)
            try await holder.holdWriteLock()
            let error = await failure { () throws(LedgerError) in try await other.begin(newSale("a"), at: start) }
            await other.close()
            await holder.close()
            return error
        case .closed:
            let ledger = try await Ledger.open(directory: directory.path)
            await ledger.close()
            return await failure { () throws(LedgerError) in try await ledger.begin(newSale("a"), at: start) }
        case .invalid:
            return try await using { ledger throws(LedgerError) in
                try await ledger.begin(newSale("a", amount: -1), at: start)
            }
        case .sqlite:
            return try await using { ledger throws(LedgerError) in
                try await ledger.drop("journal")
                try await ledger.begin(newSale("a"), at: start)
            }
        }
    }
}
