import Payments

/// From arguments to an exit status.
struct CommandRunner: Sendable {
    let console: Console

    /// Runs the command. Output that could not be written turns "done" into an error, except where nobody reads it any
    /// more, and where money was decided on: then the status stays that of the payment, and the sentence says what to look
    /// for.
    func run(_ arguments: [String]) async -> ExitStatus {
        let status = await perform(arguments)
        guard let failure = console.outputFailure else { return status }
        let isPayment = Self.isPayment(arguments)
        if console.isUnread, !isPayment { return status == .done ? .unread : status }
        console.error(
            "The result could not be written (\(failure))."
                + (isPayment ? " It is recorded: see 'readerctl transactions'." : ""))
        return status == .done && !isPayment ? .internalError : status
    }

    private static func isPayment(_ arguments: [String]) -> Bool {
        guard !["--list", "--open", "--pending"].contains(where: arguments.contains) else { return false }
        return ["sale", "refund", "void", "open", "settle"].contains(where: arguments.contains)
    }

    private func perform(_ arguments: [String]) async -> ExitStatus {
        let parsed: ParsedArguments
        do throws(ParsedArguments.UsageError) {
            parsed = try ParsedArguments(arguments)
        } catch {
            console.error(error.sentence)
            console.note(HelpText.usage(error.command))
            return .usage
        }
        if parsed.has("--version") {
            console.print("readerctl \(ProductVersion.text)")
            return .done
        }
        guard let command = parsed.command else {
            if parsed.has("--help") {
                console.print(HelpText.overview, terminator: "")
                return .done
            }
            console.note(HelpText.overview)
            return .usage
        }
        if parsed.has("--help") {
            console.print(HelpText.command(command), terminator: "")
            return .done
        }
        do {
            let ready = try CommandList.make(command, parsed, console)
            guard ready.endsOnInterrupt else { return try await ready.run() }
            return try await InterruptHandler.run(onInterrupt: { ready.interrupted() }) {
                await Self.outcome(of: ready)
            }.get()
        } catch let failure as CommandFailure {
            console.error(failure.sentence)
            for line in failure.details { console.error("  " + line) }
            if failure.showsUsage { console.note(HelpText.usage(command)) }
            return failure.status
        } catch {
            console.error("Something went wrong that should not: \(error). Please report it.")
            return .internalError
        }
    }

    private static func outcome(of command: any Command) async -> Result<ExitStatus, any Error> {
        do {
            return .success(try await command.run())
        } catch {
            return .failure(error)
        }
    }
}
