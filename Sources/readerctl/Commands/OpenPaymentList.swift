import JSONText
import Ledger
import Money
import Payments

/// `readerctl resolve --list`: what is open, what waits for a person, and the offline sales that the host has not paid for.
/// Nothing is sent or changed.
struct OpenPaymentList: Sendable {
    let console: Console
    let json: Bool

    private struct Found: Sendable {
        var open: [TransactionRecord] = []
        var stored: [(sale: TransactionRecord, payment: StoredPayment)] = []
        var refused: [TransactionRecord] = []
    }

    func show(_ installation: Installation) async throws(CommandFailure) -> ExitStatus {
        var found = Found()
        if let ledger = try await installation.openLedgerForReading() {
            do throws(LedgerError) {
                found = try await Self.find(ledger)
            } catch {
                await ledger.close()
                throw CommandFailure(.internalError, error.description)
            }
            await ledger.close()
        }
        json ? console.print(Self.document(found)) : printLines(found)
        return found.open.isEmpty && found.stored.isEmpty ? .done : .unknownOutcome
    }

    private static func find(_ ledger: Ledger) async throws(LedgerError) -> Found {
        var found = Found()
        let states = Recovery.openStates.union([PaymentState.manualReview.name])
        found.open = try await ledger.unresolved(states: states)
        for payment in try await ledger.storedPayments() {
            found.stored.append((try await ledger.transaction(payment.transactionID), payment))
        }
        found.refused = try await ledger.offlineSales(.refused)
        return found
    }

    private func printLines(_ found: Found) {
        for record in found.open { console.print("\(Self.subject(record))  \(record.state)".printable()) }
        for (sale, payment) in found.stored {
            console.print("\(Self.subject(sale))  offline, not forwarded yet (attempts: \(payment.tries))".printable())
        }
        for record in found.refused {
            let code = record.responseCode ?? ""
            console.print("\(Self.subject(record))  offline, refused by the host (\(code)): nobody pays".printable())
        }
        if found.open.isEmpty, found.stored.isEmpty, found.refused.isEmpty { console.note("Nothing is open.") }
    }

    private static func subject(_ record: TransactionRecord) -> String {
        let amount = Currency(numeric: record.currency)
            .flatMap { Amount(minorUnits: record.amount + record.tip, currency: $0) }
        return "\(record.id)  \(record.kind.rawValue)  \(amount?.description ?? "")"
    }

    private static func document(_ found: Found) -> JSONValue {
        let stored = found.stored.map { sale, payment in
            JSONValue.object([
                "transactionid": .string(sale.id), "storedAt": .integer(payment.storedAt),
                "tries": .integer(Int64(payment.tries)), "dueAt": .integer(payment.dueAt),
                "mayHaveLeft": .bool(payment.mayHaveLeft),
            ])
        }
        let refused = found.refused.map { record in
            JSONValue.object(["transactionid": .string(record.id), "responsecode": .optional(record.responseCode)])
        }
        let open = found.open.map { record in
            JSONValue.object(["transactionid": .string(record.id), "state": .string(record.state.rawValue)])
        }
        return .object(["open": .array(open), "stored": .array(stored), "refused": .array(refused)])
    }
}
