import Ledger
import Payments
import Synchronization
import Transport

/// `readerctl resolve`.
struct ResolveCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    /// Programs end at any time: how long `--watch` looks away at most, and at least.
    private static let longestPause = Duration.seconds(3)
    private static let shortestPause = Duration.milliseconds(200)

    var endsOnInterrupt: Bool { true }

    func run() async throws -> ExitStatus {
        let id = arguments.operands.first
        let decision = arguments["--as"].flatMap(OperatorDecision.init(rawValue:))
        if decision != nil, id == nil {
            throw CommandFailure(.usage, "The transaction is missing: a decision with --as is about one.")
        }
        if arguments.has("--watch"), id != nil {
            throw CommandFailure(.usage, "--watch looks after all transactions: leave the id out.")
        }
        if arguments.has("--list") {
            guard id == nil, !arguments.has("--watch") else {
                throw CommandFailure(.usage, "--list shows everything that is open: give it alone.")
            }
            let list = OpenPaymentList(console: console, json: arguments.has("--json"))
            return try await list.show(Installation(arguments))
        }
        let installation = try Installation(arguments)
        if !installation.hasLedger, !arguments.has("--watch") {
            if let id { throw Self.missing(id) }
            return show([], waiting: [])
        }
        return try await open(installation, id, decision)
    }

    private func open(
        _ installation: Installation, _ id: String?, _ decision: OperatorDecision?
    ) async throws -> ExitStatus {
        let ledger = try await installation.openLedger()
        let pipeline = try installation.makePipeline(ledger, console: console)
        let result = await outcome(pipeline, id, decision, tell: { await Self.tell(installation, console, ledger) })
        pipeline.owner.end()
        await ledger.close()
        return try result.get()
    }

    /// Apps that were told "unknown" hear of the outcome.
    private static func tell(_ installation: Installation, _ console: Console, _ ledger: Ledger) async {
        let pending = PendingReplies(installation: installation, console: console)
        let settled = await pending.settle(with: ledger)
        // Replies go where `replySchemes` allows; the token is about requests.
        guard !settled.isEmpty, let settings = try? installation.appToAppWithoutToken() else { return }
        await pending.offer(settled, settings)
    }

    private func outcome(
        _ pipeline: PaymentPipeline, _ id: String?, _ decision: OperatorDecision?, tell: () async -> Void
    ) async -> Result<ExitStatus, CommandFailure> {
        do throws(CommandFailure) {
            let status: ExitStatus
            switch (id, decision) {
            case (let id?, let decision?): status = try await decide(pipeline, id, decision)
            case (let id?, nil): status = try await resolve(pipeline, id)
            default:
                status = try await arguments.has("--watch") ? watch(pipeline, tell) : resolveAll(pipeline)
            }
            await tell()
            return .success(status)
        } catch {
            return .failure(error)
        }
    }

    private static func missing(_ id: String) -> CommandFailure {
        CommandFailure(named: "There is no transaction '\(id)'. List them with 'readerctl transactions'.")
    }

    // MARK: One

    private func resolve(_ pipeline: PaymentPipeline, _ id: String) async throws(CommandFailure) -> ExitStatus {
        do throws(LedgerError) {
            let resolution = try await Recovery(pipeline).settle(
                id, until: .after(pipeline.limits.host, on: pipeline.clock), forwarding: true)
            return show([resolution], waiting: [])
        } catch {
            if case .notFound = error.code { throw Self.missing(id) }
            throw CommandFailure(.internalError, error.description)
        }
    }

    private func decide(
        _ pipeline: PaymentPipeline, _ id: String, _ decision: OperatorDecision
    ) async throws(CommandFailure) -> ExitStatus {
        do throws(OperatorDecisionError) {
            return show([try await Recovery(pipeline).decide(id, as: decision)], waiting: [])
        } catch {
            switch error {
            case .notInReview(let record):
                throw CommandFailure(
                    .refusedByRule,
                    "The transaction '\(id)' is \(record.state): only one in manualReview waits for a decision.")
            case .saleAllowsNoRefund(let sale):
                throw CommandFailure(
                    .refusedByRule,
                    "The refund '\(id)' cannot be approved: its sale '\(sale.id)' is \(sale.state), and allows no refund. "
                        + "Settle it with the acquirer, then give --as declined or --as reversed.")
            case .ledger(let error):
                if case .notFound = error.code { throw Self.missing(id) }
                throw CommandFailure(.internalError, error.description)
            }
        }
    }

    // MARK: All

    private func resolveAll(_ pipeline: PaymentPipeline) async throws(CommandFailure) -> ExitStatus {
        do throws(LedgerError) {
            let waiting = try await Self.waitingForPerson(pipeline)
            let isText = !arguments.has("--json")
            let terminal = console
            let resolutions = try await Recovery(pipeline).run(
                .all, until: Deadline(MonotonicInstant(nanoseconds: .max)),
                each: { if isText { ResolutionPrinter.printLine($0, to: terminal) } })
            return show(resolutions, waiting: waiting, isShown: isText)
        } catch {
            throw CommandFailure(.internalError, error.description)
        }
    }

    /// Until Ctrl-C: what is due, again and again. The first time, everything.
    private func watch(_ pipeline: PaymentPipeline, _ tell: () async -> Void) async throws(CommandFailure) -> ExitStatus
    {
        let json = arguments.has("--json")
        let terminal = console
        let recovery = Recovery(pipeline)
        var selection = Recovery.Selection.all
        do throws(LedgerError) {
            while !Task.isCancelled {
                try await recovery.run(
                    selection, until: Deadline(MonotonicInstant(nanoseconds: .max)),
                    each: { resolution in
                        guard !resolution.isUnderWay else { return }
                        if json {
                            terminal.print(ResolutionJSON.object(resolution))
                        } else {
                            ResolutionPrinter.printLine(resolution, to: terminal)
                        }
                    })
                selection = .due
                await tell()
                guard !Task.isCancelled else { break }
                let pause = try await Self.pause(pipeline)
                await pipeline.clock.sleep(until: pipeline.clock.now().advanced(by: pause))
            }
            let isStored = try await pipeline.ledger.storedTotal().count > 0
            return try await recovery.leftOpen().isEmpty && !isStored ? .done : .unknownOutcome
        } catch {
            throw CommandFailure(.internalError, error.description)
        }
    }

    /// To the next attempt that is planned.
    private static func pause(_ pipeline: PaymentPipeline) async throws(LedgerError) -> Duration {
        let now = pipeline.wallClock.nowMilliseconds()
        let planned = try await Recovery(pipeline).unresolved().compactMap(\.resolveAt)
        let next = try await (planned + pipeline.ledger.storedPayments().map(\.dueAt)).min()
        guard let next else { return longestPause }
        return min(max(.milliseconds(next.subtractingReportingOverflow(now).partialValue), shortestPause), longestPause)
    }

    private static func waitingForPerson(_ pipeline: PaymentPipeline) async throws(LedgerError) -> [TransactionRecord] {
        try await pipeline.ledger.unresolved(states: [PaymentState.manualReview.name])
    }

    /// - Parameter isShown: the lines of the resolutions have been printed.
    private func show(
        _ resolutions: [Resolution], waiting: [TransactionRecord], isShown: Bool = false
    ) -> ExitStatus {
        let printer = ResolutionPrinter(console: console, json: arguments.has("--json"))
        return printer.show(resolutions, waiting: waiting, isShown: isShown, isAboutOne: !arguments.operands.isEmpty)
    }
}
