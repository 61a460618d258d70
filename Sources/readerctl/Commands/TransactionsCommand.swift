import Ledger
import Payments

/// `readerctl transactions`.
struct TransactionsCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    func run() async throws -> ExitStatus {
        let states = try chosenStates()
        var list = TransactionList(console: console, json: arguments.has("--json"))
        if let ledger = try await Installation(arguments).openLedgerForReading() {
            do throws(LedgerError) {
                for try await record in try await ledger.export(states: states, order: .newestFirst) {
                    list.add(record)
                    if console.isUnread { break }
                }
            } catch {
                await ledger.close()
                throw CommandFailure(.internalError, error.description)
            }
            await ledger.close()
        }
        list.end()
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
}
