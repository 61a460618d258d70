import JSONText
import Ledger
import Payments

/// `readerctl receipt ID`.
struct ReceiptCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    func run() async throws -> ExitStatus {
        let (record, _) = try await StoredTransaction.find(arguments)
        guard let stored = record.receipt else {
            throw CommandFailure(
                .usage, "The transaction '\(record.id)' has no receipt: it ended as \(record.state.rawValue).")
        }
        guard let receipt = Receipt(json: stored) else {
            throw CommandFailure(.internalError, "The stored receipt of '\(record.id)' cannot be read.")
        }
        let copy = ReceiptCopy(rawValue: arguments["--copy"] ?? "cardholder") ?? .cardholder
        let language = DisplayLanguage(rawValue: arguments["--language"] ?? "es") ?? .spanish
        switch arguments["--format"] ?? "text" {
        case "json": console.print(receipt.jsonValue)
        case "html": show(receipt.html(copy: copy, language: language))
        default: show(receipt.text(copy: copy, language: language))
        }
        return .done
    }

    private func show(_ text: String) {
        console.print(text.printable(keepsLines: true), terminator: "")
    }
}
