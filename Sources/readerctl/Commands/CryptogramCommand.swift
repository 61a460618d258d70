/// `readerctl cryptogram verify`: the issuer's side of a cryptogram, for whoever looks for the cause of a refusal.
struct CryptogramCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    func run() async throws -> ExitStatus {
        // What stands there instead may be card data: it is not repeated.
        guard arguments.operands.first == "verify" else {
            throw CommandFailure(.usage, "Say what to do: 'readerctl cryptogram verify'.")
        }
        let input = try CryptogramInput(arguments, operands: Array(arguments.operands.dropFirst()))
        let verdict = try CryptogramVerdict(input, code: arguments["--arpc"])
        if arguments.has("--json") {
            console.print(verdict.document)
        } else {
            console.print(verdict.text)
        }
        return verdict.isRight ? .done : .declined
    }
}
