import JSONText
import Ledger
import Payments

/// `readerctl receipt ID`.
struct ReceiptCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    func run() async throws -> ExitStatus {
        let (record, _) = try await StoredTransaction.find(arguments)
        let seal = try Installation(arguments).existingReceiptSeal()
        let stored: StoredReceipt?
        do throws(ReceiptProblem) {
            stored = try StoredReceipt(of: record, seal: seal)
        } catch {
            throw CommandFailure(.malformedInput, error.sentence)
        }
        guard let stored else {
            throw CommandFailure(
                named: "The transaction '\(record.id)' has no receipt: it ended as \(record.state.rawValue).")
        }
        if !stored.isSealed {
            console.note("This receipt is from before receipts were sealed: a change to it would not be seen.")
        }
        let receipt = stored.receipt
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
