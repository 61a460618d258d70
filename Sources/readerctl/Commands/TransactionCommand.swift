import JSONText
import Ledger
import Payments

/// `readerctl transaction ID`.
struct TransactionCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    func run() async throws -> ExitStatus {
        let (record, journal) = try await StoredTransaction.find(arguments)
        if arguments.has("--json") {
            console.print(TransactionJSON.document(record, journal))
            return .done
        }
        if case .object(let members) = TransactionJSON.document(record, []) {
            for member in members {
                if case .string(let text) = member.value, !text.isEmpty {
                    console.print(member.key + String(repeating: " ", count: 15 - member.key.count) + text.printable())
                }
            }
        }
        let zone = TimeZoneRule.mexicoCity()
        for entry in journal {
            let detail = entry.detail.map { "  (\($0))" } ?? ""
            let line = "  \(zone.civilTime(atMilliseconds: entry.at).text)  \(entry.to.rawValue)\(detail)"
            console.print(line.printable())
        }
        return .done
    }
}

/// The transaction that a command names.
enum StoredTransaction {
    static func find(
        _ arguments: ParsedArguments
    ) async throws(CommandFailure) -> (TransactionRecord, [JournalEntry]) {
        let id = arguments.operands.first ?? ""
        let missing = CommandFailure(
            named: "There is no transaction '\(id)'. List them with 'readerctl transactions'.")
        guard let ledger = try await Installation(arguments).openLedgerForReading() else { throw missing }
        do throws(LedgerError) {
            let record = try await ledger.transaction(id)
            let journal = try await ledger.journal(of: id)
            await ledger.close()
            return (record, journal)
        } catch {
            await ledger.close()
            if case .notFound = error.code { throw missing }
            throw CommandFailure(.internalError, error.description)
        }
    }
}
