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
            printer.show(result)
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
