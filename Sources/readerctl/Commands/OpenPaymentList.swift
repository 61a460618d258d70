import JSONText
import Ledger
import Money
import Payments

/// `readerctl resolve --list`: what is open, what waits for a person, what running programs have in hand, and the offline
/// sales that the host has not paid for. Nothing is sent or changed.
struct OpenPaymentList: Sendable {
    let console: Console
    let json: Bool

    private struct Found: Sendable {
        let unresolved: OpenPayments
        var stored: [(sale: TransactionRecord, payment: StoredPayment)] = []
        var refused: [TransactionRecord] = []

        var isEmpty: Bool {
            unresolved.open.isEmpty && unresolved.underWay.isEmpty && stored.isEmpty && refused.isEmpty
        }
    }

    func show(_ installation: Installation) async throws(CommandFailure) -> ExitStatus {
        guard let ledger = try await installation.openLedgerForReading() else { return show(nil) }
        do throws(LedgerError) {
            let found = try await Self.find(ledger, installation.dataDirectory)
            await ledger.close()
            return show(found)
        } catch {
            await ledger.close()
            throw CommandFailure(.internalError, error.description)
        }
    }

    private static func find(_ ledger: Ledger, _ dataDirectory: String) async throws(LedgerError) -> Found {
        var found = Found(unresolved: try await OpenPayments(in: ledger, dataDirectory: dataDirectory))
        for payment in try await ledger.storedPayments() {
            found.stored.append((try await ledger.transaction(payment.transactionID), payment))
        }
        found.refused = try await ledger.offlineSales(.refused)
        return found
    }

    /// - Parameter found: nil when there is no ledger.
    private func show(_ found: Found?) -> ExitStatus {
        json ? console.print(Self.document(found)) : printLines(found)
        guard let found else { return .done }
        return found.unresolved.open.isEmpty && found.stored.isEmpty ? .done : .unknownOutcome
    }

    private func printLines(_ found: Found?) {
        for record in found?.unresolved.open ?? [] {
            let isApproved = record.state == PaymentState.approved.name
            console.print(
                "\(Self.subject(record))  \(record.state)\(isApproved ? "  (to be voided)" : "")".printable())
        }
        for record in found?.unresolved.underWay ?? [] {
            console.print("\(Self.subject(record))  \(record.state)  (its program is at work on it)".printable())
        }
        for (sale, payment) in found?.stored ?? [] {
            console.print("\(Self.subject(sale))  offline, not forwarded yet (attempts: \(payment.tries))".printable())
        }
        for record in found?.refused ?? [] {
            let code = record.responseCode ?? ""
            console.print("\(Self.subject(record))  offline, refused by the host (\(code)): nobody pays".printable())
        }
        if found?.isEmpty ?? true { console.note("Nothing is open.") }
    }

    private static func subject(_ record: TransactionRecord) -> String {
        let amount = Currency(numeric: record.currency)
            .flatMap { Amount(minorUnits: record.amount + record.tip, currency: $0) }
        return "\(record.id)  \(record.kind.rawValue)  \(amount?.description ?? "")"
    }

    private static func document(_ found: Found?) -> JSONValue {
        let stored = (found?.stored ?? []).map { sale, payment in
            JSONValue.object([
                "transactionid": .string(sale.id), "storedAt": .integer(payment.storedAt),
                "tries": .integer(Int64(payment.tries)), "dueAt": .integer(payment.dueAt),
                "mayHaveLeft": .bool(payment.mayHaveLeft),
            ])
        }
        let refused = (found?.refused ?? []).map { record in
            JSONValue.object(["transactionid": .string(record.id), "responsecode": .optional(record.responseCode)])
        }
        func states(_ records: [TransactionRecord]?) -> JSONValue {
            .array(
                (records ?? []).map { record in
                    .object(["transactionid": .string(record.id), "state": .string(record.state.rawValue)])
                })
        }
        return .object([
            "open": states(found?.unresolved.open), "stored": .array(stored), "refused": .array(refused),
            "underway": states(found?.unresolved.underWay),
        ])
    }
}
