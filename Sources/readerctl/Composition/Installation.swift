import Configuration
import EMV
import Gateways
import Glibc
import Ledger
import Payments
import Readers
import Transport

/// The composition root: which clock, ledger, gateway and readers this run of the program uses.
struct Installation: Sendable {
    let configuration: KioskConfiguration
    let dataDirectory: String
    let clock: any MonotonicClock = SystemMonotonicClock.shared
    let configurationPath: String?
    private let simulatedCard: String?
    private let simulatedFamily: String?
    private let readerID: String?
    let isIntrusive: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        configurationPath = KioskConfiguration.place(arguments["--config"])
        configuration = try ConfigurationFile.load(arguments["--config"])
        dataDirectory = try Self.dataDirectory(arguments["--data"])
        simulatedCard = arguments["--simulate"]
        simulatedFamily = arguments["--simulate-reader"]
        readerID = arguments["--reader"]
        isIntrusive = arguments.has("--intrusive")
    }

    /// `--data`, else `$READERKIT_DATA`, else the XDG state directory.
    static func dataDirectory(_ option: String?) throws(CommandFailure) -> String {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        if let option { return option }
        if let data = variable("READERKIT_DATA") { return data }
        if let state = variable("XDG_STATE_HOME") { return state + "/readerkit" }
        if let home = variable("HOME") { return home + "/.local/state/readerkit" }
        throw CommandFailure(.usage, "There is no place for the ledger: give --data DIR or set READERKIT_DATA.")
    }

    func makeReaderSource() throws(CommandFailure) -> any ReaderSource {
        guard let simulatedCard else {
            return makeHardwareSource()
        }
        return try SimulatedReaderSource(card: simulatedCard, family: simulatedFamily, clock: clock)
    }

    /// Opens the reader that the command line means.
    func openReader(from source: any ReaderSource) async throws(ReaderError) -> OpenedReader {
        let present = try await source.scan()
        let choice = try ReaderChoice.choosing(readerID, from: present)
        return try await source.open(choice, until: .after(.seconds(10), on: clock))
    }

    /// Whether payments were ever made here. A log without its ledger is for the ledger to refuse.
    var hasLedger: Bool {
        ["/ledger.sqlite", "/ledger.sqlite-wal"].contains { access(dataDirectory + $0, F_OK) == 0 }
    }

    func openLedger() async throws(CommandFailure) -> Ledger {
        do throws(LedgerError) {
            return try await Ledger.open(directory: dataDirectory)
        } catch {
            throw CommandFailure(.internalError, error.description)
        }
    }

    /// Nil when no ledger was ever made there.
    func openLedgerForReading() async throws(CommandFailure) -> Ledger? {
        do throws(LedgerError) {
            return try await Ledger.openReadOnly(directory: dataDirectory)
        } catch {
            if case .noLedger = error.code { return nil }
            throw CommandFailure(.internalError, error.description)
        }
    }

    /// Ends with `owner.end()`.
    ///
    /// - Parameter console: is told what is wrong and stands in nobody's way.
    func makePipeline(
        _ ledger: Ledger, cardTimeout: Int? = nil, console: Console
    ) throws(CommandFailure) -> PaymentPipeline {
        let terminal = try makeTerminal()
        var limits = PaymentPipeline.TimeLimits()
        limits.card = .seconds(cardTimeout ?? configuration.timeLimits.card)
        limits.host = .seconds(configuration.timeLimits.host)
        let offline = makeOfflineSettings(console)
        let gateway = try makeGateway(terminal, ledger)
        let seal = try makeReceiptSeal()
        let owner: RunningOwner
        do throws(RunningOwnerError) {
            owner = try RunningOwner.begin(in: dataDirectory)
        } catch {
            throw CommandFailure(.internalError, error.sentence)
        }
        var pipeline = PaymentPipeline(
            ledger: ledger, owner: owner, gateway: gateway, terminal: terminal,
            merchantName: configuration.merchant.name, clock: clock, wallClock: SystemWallClock(),
            random: SystemRandomSource(), zone: .mexicoCity(), limits: limits, rules: saleRules, receiptSeal: seal)
        pipeline.offline = offline
        pipeline.hasTestCards = simulatedCard != nil
        return pipeline
    }

    private func makeGateway(
        _ terminal: TerminalConfiguration, _ ledger: Ledger
    ) throws(CommandFailure) -> any Gateway {
        switch configuration.gateway.kind {
        case .iso8583(let line):
            let identity = TerminalIdentity(
                terminalID: terminal.terminalIdentification, merchantID: terminal.merchantIdentifier,
                country: terminal.countryCode)
            let journal = LateAnswerJournal(ledger: ledger, wallClock: SystemWallClock())
            return try HostGateway.make(
                line, terminal: identity, dataDirectory: dataDirectory, clock: clock,
                lateAnswers: { late in Task { await journal.note(late) } })
        case .simulator:
            do throws(IssuerDirectoryError) {
                var options = IssuerSimulator.Options()
                options.bookPath = dataDirectory + "/simulated-host"
                return try IssuerSimulator(clock: clock, options: options)
            } catch {
                throw CommandFailure(.internalError, "The issuer simulator cannot start: \(error)")
            }
        }
    }

    /// What the kernel is told, by a configuration that is for payments in Mexico.
    func makeTerminal() throws(CommandFailure) -> TerminalConfiguration {
        let problems = configuration.problemsInMexico + configuration.problemsOffline
        guard problems.isEmpty else {
            throw ConfigurationFile.failure(ConfigurationError(problems), configurationPath)
        }
        do throws(ConfigurationProblem) {
            return configuration.terminalConfiguration(keys: try configuration.certificationAuthorityKeys())
        } catch {
            throw ConfigurationFile.failure(ConfigurationError([error]), configurationPath)
        }
    }
}
