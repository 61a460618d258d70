import Ledger
import Payments

/// `readerctl settle`.
struct SettleCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    var endsOnInterrupt: Bool { true }

    func interrupted() {
        console.note("The settlement goes on to its end.")
    }

    func run() async throws -> ExitStatus {
        let modes = ["--force", "--list", "--open"].filter(arguments.has)
        if modes.count > 1 {
            throw CommandFailure(.usage, "\(modes.joined(separator: " and ")) cannot be given together: choose one.")
        }
        let installation = try Installation(arguments)
        if arguments.has("--list") { return try await list(installation) }
        if arguments.has("--open") { return try await open(installation) }
        guard installation.hasLedger else { return show([.nothing(leftOut: [])]) }
        return try await settle(installation)
    }

    private func settle(_ installation: Installation) async throws -> ExitStatus {
        let ledger = try await installation.openLedger()
        let pipeline: PaymentPipeline
        do throws(CommandFailure) {
            pipeline = try installation.makePipeline(ledger, console: console)
        } catch {
            await ledger.close()
            throw error
        }
        let outcomes = await pipeline.settle(force: arguments.has("--force"))
        pipeline.owner.end()
        await ledger.close()
        return show(outcomes)
    }

    private func show(_ outcomes: [SettlementOutcome]) -> ExitStatus {
        if arguments.has("--json") {
            console.print(SettlementJSON.document(outcomes))
        } else {
            for outcome in outcomes { SettlementPrinter(console: console).show(outcome) }
        }
        let statuses = outcomes.map(\.status)
        return [.internalError, .unknownOutcome, .refusedByRule].first(where: statuses.contains) ?? .done
    }

    private func list(_ installation: Installation) async throws -> ExitStatus {
        let batches = try await read(installation) { (ledger) throws(LedgerError) in try await ledger.batches() } ?? []
        if arguments.has("--json") {
            console.print(SettlementJSON.document(batches: batches))
        } else if batches.isEmpty {
            console.note("There are no batches.")
        } else {
            for batch in batches { SettlementPrinter(console: console).show(batch) }
        }
        return .done
    }

    private func open(_ installation: Installation) async throws -> ExitStatus {
        let data = installation.dataDirectory
        let batches =
            try await read(installation) { (ledger) throws(LedgerError) in
                try await OpenBatch.read(from: ledger, dataDirectory: data)
            } ?? []
        if arguments.has("--json") {
            console.print(SettlementJSON.document(open: batches))
        } else if batches.isEmpty {
            console.note("There is nothing to settle.")
        } else {
            for batch in batches { SettlementPrinter(console: console).show(batch) }
        }
        return .done
    }

    /// Nil when no ledger was ever made.
    private func read<Answer: Sendable>(
        _ installation: Installation, _ question: (Ledger) async throws(LedgerError) -> Answer
    ) async throws(CommandFailure) -> Answer? {
        guard let ledger = try await installation.openLedgerForReading() else { return nil }
        do throws(LedgerError) {
            let answer = try await question(ledger)
            await ledger.close()
            return answer
        } catch {
            await ledger.close()
            throw CommandFailure(.internalError, error.description)
        }
    }
}

extension SettlementOutcome {
    fileprivate var status: ExitStatus {
        switch self {
        case .closed: .done
        case .nothing(let leftOut): leftOut.isEmpty ? .done : .refusedByRule
        case .blocked, .differs, .moving: .refusedByRule
        case .noAnswer, .underWay: .unknownOutcome
        case .ledger: .internalError
        }
    }
}
