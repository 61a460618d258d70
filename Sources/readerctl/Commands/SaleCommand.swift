import Money
import Payments

/// `readerctl sale`.
struct SaleCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    private let desk: PaymentDesk

    init(arguments: ParsedArguments, console: Console) {
        self.arguments = arguments
        self.console = console
        desk = PaymentDesk(console: console)
    }

    var endsOnInterrupt: Bool { true }

    func interrupted() { desk.interrupted() }

    func run() async throws -> ExitStatus {
        let request = try makeRequest()
        let timeout = try cardTimeout()
        let printer = PaymentPrinter(console: console, json: arguments.has("--json"))
        return try await desk.sale(request, at: Installation(arguments), cardTimeout: timeout) { result, _ in
            printer.show(result)
        }
    }

    private func makeRequest() throws(CommandFailure) -> SaleRequest {
        let currency = Currency(code: arguments["--currency"] ?? "MXN") ?? .mxn
        guard let text = arguments["--amount"] else {
            throw CommandFailure(.usage, "The amount is missing: give it with --amount, for example --amount 100.00.")
        }
        do {
            let amount = try AmountOption.parse(text, "amount", currency)
            let tip = try arguments["--tip"].map { try AmountOption.parse($0, "tip", currency) }
            let instalments = Instalments(rawValue: Int(arguments["--msi"] ?? "0") ?? 0) ?? .single
            let details = try RequestDetails(
                identifier: arguments["--identifier"] ?? "", reference: arguments["--reference"] ?? "",
                email: arguments["--email"] ?? "", phone: arguments["--phone"] ?? "")
            return try SaleRequest(amount: amount, tip: tip, instalments: instalments, details: details)
        } catch let problem as RequestProblem {
            throw CommandFailure(.usage, problem.sentence)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }

    private func cardTimeout() throws(CommandFailure) -> Int? {
        guard let text = arguments["--timeout"] else { return nil }
        let isPlain = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isPlain, let seconds = Int(text), (1...600).contains(seconds) else {
            throw CommandFailure(.usage, "The time-out '\(text)' is not valid: give whole seconds, 1 to 600.")
        }
        return seconds
    }
}
