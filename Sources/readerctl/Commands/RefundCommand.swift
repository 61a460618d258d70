import Ledger
import Money
import Payments

/// `readerctl refund`.
struct RefundCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    var endsOnInterrupt: Bool { true }

    func run() async throws -> ExitStatus {
        let request = try makeRequest()
        let printer = PaymentPrinter(console: console, json: arguments.has("--json"))
        return try await PaymentDesk(console: console).refund(request, at: Installation(arguments)) { result, _ in
            let status = printer.show(result)
            if let operation = result.returnedAs { console.note(Self.sentence(operation)) }
            return status
        }
    }

    /// What the merchant will find in the acquirer's list.
    private static func sentence(_ operation: ReturnOperation) -> String {
        switch operation {
        case .void: "The host has taken the whole sale back (a void): neither it nor this refund will be in a batch."
        case .refund: "The host has booked a refund beside the sale."
        }
    }

    private func makeRequest() throws(CommandFailure) -> RefundRequest {
        guard let id = arguments["--transaction-id"] else {
            throw CommandFailure(.usage, "The sale is missing: give its id with --transaction-id.")
        }
        do {
            let amount = try arguments["--amount"].map { try AmountOption.parse($0, "amount", .mxn) }
            let details = try RequestDetails(identifier: arguments["--identifier"] ?? "")
            return try RefundRequest(transactionID: id, amount: amount, details: details)
        } catch let problem as RequestProblem {
            throw CommandFailure(.usage, problem.sentence)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }
}
