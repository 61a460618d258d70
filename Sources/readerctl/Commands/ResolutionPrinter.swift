import JSONText
import Ledger
import Money
import Payments

/// Shows what came of `readerctl resolve`, and decides on its exit status.
struct ResolutionPrinter: Sendable {
    let console: Console
    let json: Bool

    /// - Parameters:
    ///   - waiting: those that wait for a person from before.
    ///   - isShown: the lines of the resolutions have been printed.
    ///   - isAboutOne: somebody wants to know about this one, so that it counts even while its program is at work on it.
    func show(
        _ resolutions: [Resolution], waiting: [TransactionRecord], isShown: Bool, isAboutOne: Bool
    ) -> ExitStatus {
        let left = resolutions.filter { $0.isOpen && (isAboutOne || !$0.isUnderWay) }.count + waiting.count
        if json {
            console.print(ResolutionJSON.document(resolutions, waiting: waiting, open: left))
        } else {
            if !isShown { for resolution in resolutions { Self.printLine(resolution, to: console) } }
            for record in waiting { console.print(Self.waitingLine(record).printable()) }
            if resolutions.isEmpty, waiting.isEmpty { console.note("Nothing is open.") }
        }
        return left == 0 ? .done : .unknownOutcome
    }

    static func printLine(_ resolution: Resolution, to console: Console) {
        let record = resolution.record
        console.print(
            "\(subject(record))  \(resolution.found) -> \(record.state)  (\(resolution.reason))".printable())
    }

    private static func waitingLine(_ record: TransactionRecord) -> String {
        "\(subject(record))  \(record.state)  (waits for a person: readerctl resolve \(record.id) --as …)"
    }

    private static func subject(_ record: TransactionRecord) -> String {
        let amount = Currency(numeric: record.currency)
            .flatMap { Amount(minorUnits: record.amount + record.tip, currency: $0) }
        return "\(record.id)  \(record.kind.rawValue)  \(amount?.description ?? "")"
    }
}

/// The JSON of `readerctl resolve`.
enum ResolutionJSON {
    static func document(_ resolutions: [Resolution], waiting: [TransactionRecord], open: Int) -> JSONValue {
        .object([
            "resolutions": .array(resolutions.map(object)),
            "waiting": .array(waiting.map { .string($0.id) }),
            "open": .integer(Int64(open)),
        ])
    }

    /// One attempt; with `--watch` a line of its own.
    static func object(_ resolution: Resolution) -> JSONValue {
        let record = resolution.record
        return .object([
            "transactionid": .string(record.id), "kind": .string(record.kind.rawValue),
            "found": .string(resolution.found.rawValue), "state": .string(record.state.rawValue),
            "outcome": .optional(record.outcome), "underway": .bool(resolution.isUnderWay),
            "tries": .integer(Int64(record.resolveTries)),
            "resolveAt": record.resolveAt.map(JSONValue.integer) ?? .null, "reason": .string(resolution.reason),
        ])
    }
}
