import JSONText
import Ledger
import Money
import Payments

/// `readerctl transactions`.
struct TransactionsCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    func run() async throws -> ExitStatus {
        let states = try chosenStates()
        var records: [TransactionRecord] = []
        if let ledger = try await Installation(arguments).openLedgerForReading() {
            do throws(LedgerError) {
                records = try await ledger.transactions(states: states, limit: Ledger.largestAnswer)
            } catch {
                await ledger.close()
                throw CommandFailure(.internalError, error.description)
            }
            await ledger.close()
        }
        if arguments.has("--json") {
            console.print(TransactionJSON.document(records))
        } else if records.isEmpty {
            console.note("There are no transactions.")
        } else {
            for record in records { console.print(Self.line(record).printable()) }
        }
        return .done
    }

    private func chosenStates() throws(CommandFailure) -> Set<StateName>? {
        guard let text = arguments["--state"] else { return nil }
        guard let state = PaymentState(rawValue: text) else {
            let known = PaymentState.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.usage, "There is no state '\(text)': choose one of \(known).")
        }
        return [state.name]
    }

    private static func line(_ record: TransactionRecord) -> String {
        let zone = TimeZoneRule.mexicoCity()
        let amount = Currency(numeric: record.currency)
            .flatMap { Amount(minorUnits: record.amount + record.tip, currency: $0) }
        let fields = [
            record.id, zone.civilTime(atMilliseconds: record.createdAt).text, record.kind.rawValue,
            record.state.rawValue, amount?.description ?? "", record.lastFour.map { "**** \($0)" } ?? "",
        ]
        return fields.joined(separator: "  ")
    }
}
