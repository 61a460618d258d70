/// `readerctl completion bash|zsh|fish`.
struct CompletionCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    func run() async throws -> ExitStatus {
        let shell = arguments.operands.first ?? ""
        guard let script = CompletionScript.text(shell: shell) else {
            throw CommandFailure(.usage, "There is no completion for '\(shell)': choose bash, zsh or fish.")
        }
        console.print(script, terminator: "")
        return .done
    }
}
