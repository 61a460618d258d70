import AppToApp
import Payments

/// `readerctl open`: requests of other apps, and the replies to them.
struct OpenCommand: Command {
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
        let asked = ["--pending", "--retry"].filter(arguments.has)
        if let mode = asked.first {
            guard asked.count == 1, arguments.operands.isEmpty, !arguments.has("--print"), !arguments.has("--photo")
            else { throw CommandFailure(.usage, "\(mode) goes with --json only.") }
            let kept = try PendingReplies(installation: Installation(arguments), console: console)
            return mode == "--pending"
                ? try kept.list(json: arguments.has("--json"))
                : try await kept.retry(json: arguments.has("--json"))
        }
        if arguments.has("--print"), arguments.has("--json") {
            throw CommandFailure(.usage, "--print and --json exclude each other: each gives the whole output.")
        }
        guard !arguments.operands.isEmpty else { throw CommandFailure(.usage, "The request's URL is missing.") }
        switch try message() {
        case .installedTest: return SchemeRegistration(console: console).report(json: arguments.has("--json"))
        case .call(let call):
            return try await handle(call, at: Installation(arguments))
        }
    }

    private func handle(_ call: AppCall, at installation: Installation) async throws(CommandFailure) -> ExitStatus {
        func handling(_ settings: AppToAppSettings) -> AppCallHandling {
            AppCallHandling(
                call: call, settings: settings, installation: installation, console: console,
                output: arguments.has("--print") ? .replyURL : arguments.has("--json") ? .json : .text,
                photo: arguments["--photo"])
        }
        let settings: AppToAppSettings
        do throws(CommandFailure) {
            settings = try installation.appToApp()
        } catch {
            // The caller waits for an answer all the same.
            let problem = AppProblem(.invalidRequest, .notConfigured, error.sentence)
            return await handling(try installation.appToAppWithoutToken()).refuse(problem)
        }
        return try await handling(settings).run(at: desk)
    }

    private func message() throws(CommandFailure) -> AppCall.Message {
        do throws(URLTextError) {
            return try AppCall.read(try text())
        } catch {
            throw CommandFailure(.malformedInput, error.description)
        }
    }

    /// From the command line, or from standard input, where other users cannot see the token in it.
    private func text() throws(URLTextError) -> String {
        let operand = arguments.operands.first ?? ""
        guard operand == "-" else { return operand }
        guard var bytes = try? InputFile.read("-", limit: URLParameters.largestText + 1) else { throw .tooLong }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .damaged }
        return text
    }
}
