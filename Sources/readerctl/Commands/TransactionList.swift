import JSONText
import Ledger
import Money
import Payments

/// Writes the list of `readerctl transactions` as it comes: of a long one only a piece is in memory.
struct TransactionList {
    private let console: Console
    private let json: Bool
    private let zone = TimeZoneRule.mexicoCity()
    private var count = 0
    private var piece = ""

    /// Bytes of a piece, about.
    private static let pieceSize = 1 << 16

    init(console: Console, json: Bool) {
        self.console = console
        self.json = json
        if json { piece = "{\"transactions\":[" }
    }

    mutating func add(_ record: TransactionRecord) {
        if json {
            if count > 0 { piece += "," }
            piece += TransactionJSON.document(record).compactText
        } else {
            piece += line(record).printable() + "\n"
        }
        count += 1
        if piece.utf8.count >= Self.pieceSize { flush() }
    }

    mutating func end() {
        if json { piece += "]}\n" }
        flush()
        if count == 0, !json { console.note("There are no transactions.") }
    }

    private mutating func flush() {
        console.print(piece, terminator: "")
        piece.removeAll(keepingCapacity: true)
    }

    private func line(_ record: TransactionRecord) -> String {
        let amount = Currency(numeric: record.currency)
            .flatMap { Amount(minorUnits: record.amount + record.tip, currency: $0) }
        let fields = [
            record.id, zone.civilTime(atMilliseconds: record.createdAt).text, record.kind.rawValue,
            record.state.rawValue, amount?.description ?? "", record.lastFour.map { "**** \($0)" } ?? "",
        ]
        let offline = record.offline.map { ["offline \($0.rawValue)"] } ?? []
        let returned = record.returnedAs == .void ? ["as a void"] : []
        return (fields + offline + returned).joined(separator: "  ")
    }
}
