import Glibc
import Ledger
import Money
import Payments
import Readers

/// `readerctl sale`.
struct SaleCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    /// The issuer has been asked: what the person at the kiosk cannot see, but must know when they want to cancel.
    private let isAuthorising = Flag()

    init(arguments: ParsedArguments, console: Console) {
        self.arguments = arguments
        self.console = console
    }

    var endsOnInterrupt: Bool { true }

    func interrupted() {
        if isAuthorising.isSet {
            console.note("The issuer has been asked; waiting for its answer. The payment can no longer be cancelled.")
        } else {
            console.note("Cancelling.")
        }
    }

    func run() async throws -> ExitStatus {
        let request = try makeRequest()
        let timeout = try cardTimeout()
        let installation = try Installation(arguments)
        let source = try installation.makeReaderSource()
        let ledger = try await installation.openLedger()
        let pipeline = try installation.makePipeline(ledger, cardTimeout: timeout)
        let language = DisplayLanguage(locale: PaymentPrinter.locale)
        let (installed, used, terminal, asked) = (installation, source, console, isAuthorising)
        let printer = PaymentPrinter(console: console, json: arguments.has("--json"))
        let status = await RecoveryBeside(pipeline: pipeline).run(
            {
                await pipeline.sale(
                    request,
                    openReader: { () async throws(ReaderError) in try await installed.openReader(from: used) },
                    progress: { step in
                        if step == .authorising { asked.set() }
                        terminal.progress(step.text(in: language))
                    })
            }, show: printer.show)
        await source.close()
        await ledger.close()
        return status
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
