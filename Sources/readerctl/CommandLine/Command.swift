/// One command, ready to run.
protocol Command: Sendable {
    func run() async throws -> ExitStatus

    /// Ctrl-C cancels its task, and it winds up by itself. Other commands are simply ended.
    var endsOnInterrupt: Bool { get }

    /// Told at the first interrupt, on the main thread, before the task is cancelled.
    func interrupted()
}

extension Command {
    var endsOnInterrupt: Bool { false }

    func interrupted() {}
}

/// A command that ends early, with a sentence for people.
struct CommandFailure: Error {
    let status: ExitStatus
    let sentence: String
    /// Lines after it.
    let details: [String]
    /// The command line itself is wrong, so that its form is worth showing.
    let showsUsage: Bool

    init(_ status: ExitStatus, _ sentence: String, details: [String] = []) {
        self.status = status
        self.sentence = sentence
        self.details = details
        showsUsage = status == .usage
    }

    /// What the command line names is wrong or missing: a file, a setting, a transaction.
    init(named sentence: String, details: [String] = []) {
        status = .usage
        self.sentence = sentence
        self.details = details
        showsUsage = false
    }
}

enum CommandList {
    static func make(_ spec: CommandSpec, _ arguments: ParsedArguments, _ console: Console) throws -> any Command {
        switch spec.name {
        case "probe": ProbeCommand(arguments: arguments, console: console)
        case "decode": DecodeCommand(arguments: arguments, console: console)
        case "cryptogram": CryptogramCommand(arguments: arguments, console: console)
        case "sale": SaleCommand(arguments: arguments, console: console)
        case "refund": RefundCommand(arguments: arguments, console: console)
        case "void": VoidCommand(arguments: arguments, console: console)
        case "open": OpenCommand(arguments: arguments, console: console)
        case "resolve": ResolveCommand(arguments: arguments, console: console)
        case "settle": SettleCommand(arguments: arguments, console: console)
        case "webhooks": WebhooksCommand(arguments: arguments, console: console)
        case "transactions": TransactionsCommand(arguments: arguments, console: console)
        case "transaction": TransactionCommand(arguments: arguments, console: console)
        case "receipt": ReceiptCommand(arguments: arguments, console: console)
        case "attach": AttachCommand(arguments: arguments, console: console)
        case "config": ConfigCommand(arguments: arguments, console: console)
        case "host": HostCommand(arguments: arguments, console: console)
        case "bridge": BridgeCommand(arguments: arguments, console: console)
        case "simulate": SimulateCommand(arguments: arguments, console: console)
        case "completion": CompletionCommand(arguments: arguments, console: console)
        default: throw CommandFailure(.internalError, "The command '\(spec.name)' is in the table but not made.")
        }
    }
}
