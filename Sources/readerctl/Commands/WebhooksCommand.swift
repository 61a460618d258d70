import Configuration
import Crypto
import JSONText
import Ledger
import Notices
import Payments
import Synchronization
import Transport
import Webhooks

/// `readerctl webhooks`: what the merchant's server has been told of approved sales, and what it has not.
struct WebhooksCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    private static let shortestPause = Duration.milliseconds(200)
    private static let longestPause = Duration.seconds(3)
    /// How often all sales are looked through, and not only the recent ones.
    private static let fullRound = Duration.seconds(600)

    var endsOnInterrupt: Bool { true }

    func run() async throws -> ExitStatus {
        let modes = ["--send", "--watch", "--retry", "--ping"].filter(arguments.has)
        guard modes.count <= 1 else {
            throw CommandFailure(.usage, "\(modes[0]) and \(modes[1]) exclude each other.")
        }
        let installation = try Installation(arguments)
        guard let mode = modes.first else { return try await list(installation) }
        guard installation.configuration.webhook.receiver != nil else {
            throw CommandFailure(
                named: "Nobody is told of approved sales: name the receiver under 'webhook' in the configuration.")
        }
        if mode == "--ping" { return try await ping(installation) }
        guard installation.hasLedger || mode == "--watch" else {
            if let id = arguments["--retry"] { throw Self.missing(id) }
            return WebhookPrinter(console: console, json: arguments.has("--json")).show([], left: WebhookCounts())
        }
        let ledger = try await installation.openLedger()
        let result = await outcome(installation, ledger)
        await ledger.close()
        return try result.get()
    }

    private func outcome(_ installation: Installation, _ ledger: Ledger) async -> Result<ExitStatus, CommandFailure> {
        do throws(CommandFailure) {
            guard let outbox = try installation.makeOutbox(ledger) else { return .success(.usage) }
            if let id = arguments["--retry"] { return .success(try await retry(id, outbox, ledger)) }
            return .success(
                try await arguments.has("--watch")
                    ? watch(outbox, ledger, installation.clock) : send(outbox, ledger, installation))
        } catch {
            return .failure(error)
        }
    }

    private static func missing(_ id: String) -> CommandFailure {
        CommandFailure(named: "There is no transaction '\(id)'. List them with 'readerctl transactions'.")
    }

    private var printer: WebhookPrinter { WebhookPrinter(console: console, json: arguments.has("--json")) }

    // MARK: Sending

    private func send(
        _ outbox: NoticeOutbox, _ ledger: Ledger, _ installation: Installation
    ) async throws(CommandFailure) -> ExitStatus {
        do throws(LedgerError) {
            let (isText, printer) = (!arguments.has("--json"), printer)
            let attempts = try await outbox.send(
                .all, until: Deadline(MonotonicInstant(nanoseconds: .max)),
                each: { if isText { printer.printLine($0) } })
            return printer.show(attempts, left: try await WebhookCounts(ledger, outbox), isShown: isText)
        } catch {
            throw CommandFailure(.internalError, error.description)
        }
    }

    private func retry(
        _ id: String, _ outbox: NoticeOutbox, _ ledger: Ledger
    ) async throws(CommandFailure) -> ExitStatus {
        do throws(LedgerError) {
            let attempt = try await outbox.send(id)
            _ = printer.show([attempt], left: try await WebhookCounts(ledger, outbox))
            return attempt.isDelivered ? .done : .unknownOutcome
        } catch {
            switch error.code {
            case .notFound: throw Self.missing(id)
            case .conflict("delivered"):
                throw CommandFailure(.refusedByRule, "The server has been told of '\(id)' already.")
            case .conflict(let state):
                throw CommandFailure(
                    .refusedByRule, "The transaction '\(id)' is \(state): only approved sales are told of.")
            default: throw CommandFailure(.internalError, error.description)
            }
        }
    }

    /// Until Ctrl-C: each attempt when it is due.
    private func watch(
        _ outbox: NoticeOutbox, _ ledger: Ledger, _ clock: any MonotonicClock
    ) async throws(CommandFailure) -> ExitStatus {
        let printer = printer
        var nextFullRound = clock.now()
        do throws(LedgerError) {
            while !Task.isCancelled {
                let isFull = clock.now() >= nextFullRound
                if isFull { nextFullRound = clock.now().advanced(by: Self.fullRound) }
                try await outbox.send(
                    isFull ? .all : .recent, until: Deadline(MonotonicInstant(nanoseconds: .max)),
                    each: { printer.printWatched($0) })
                guard !Task.isCancelled else { break }
                let pause = try await Self.pause(outbox)
                await clock.sleep(until: clock.now().advanced(by: pause))
            }
            return try await WebhookCounts(ledger, outbox).isEmpty ? .done : .unknownOutcome
        } catch {
            throw CommandFailure(.internalError, error.description)
        }
    }

    private static func pause(_ outbox: NoticeOutbox) async throws(LedgerError) -> Duration {
        guard let next = try await outbox.nextAttempt() else { return longestPause }
        let wait = next.subtractingReportingOverflow(SystemWallClock().nowMilliseconds()).partialValue
        return min(max(.milliseconds(wait), shortestPause), longestPause)
    }

    /// Tries the address.
    private func ping(_ installation: Installation) async throws(CommandFailure) -> ExitStatus {
        guard let sender = try installation.makeWebhookSender() else { return .usage }
        do throws(CryptoError) {
            let answer = try await sender.ping(at: SystemWallClock().nowMilliseconds())
            if arguments.has("--json") {
                console.print(
                    .object([
                        "delivered": .bool(answer.isAccepted),
                        "problem": answer.isAccepted ? .null : .string("\(answer)"),
                    ]))
            } else if answer.isAccepted {
                console.print("the server has answered")
            }
            if !answer.isAccepted { console.error("The server did not accept it: \(answer).") }
            return answer.isAccepted ? .done : .unknownOutcome
        } catch {
            throw CommandFailure(.internalError, "The webhook cannot be signed: \(error)")
        }
    }

    // MARK: Looking

    private func list(_ installation: Installation) async throws(CommandFailure) -> ExitStatus {
        guard let ledger = try await installation.openLedgerForReading() else {
            printer.list(WebhookList())
            return .done
        }
        let since = installation.configuration.webhook.receiver.map { $0.since.unixSeconds * 1000 }
        let result: Result<WebhookList, LedgerError>
        do throws(LedgerError) {
            result = .success(try await WebhookList(ledger, since: since))
        } catch {
            result = .failure(error)
        }
        await ledger.close()
        switch result {
        case .success(let found): printer.list(found)
        case .failure(let error): throw CommandFailure(.internalError, error.description)
        }
        return .done
    }
}
