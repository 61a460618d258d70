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
        let installation = try Installation(arguments)
        let ledger = try await installation.openLedger()
        let pipeline = try installation.makePipeline(ledger, cardTimeout: nil)
        let printer = PaymentPrinter(console: console, json: arguments.has("--json"))
        let status = await RecoveryBeside(pipeline: pipeline).run(
            { await pipeline.refund(request) }, show: printer.show)
        await ledger.close()
        return status
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
