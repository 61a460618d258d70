import Foundation
import Testing

/// Runs of the built `readerctl`.
func readerctl(_ arguments: [String]) -> Program {
    Program(Prerequisites.product("readerctl"), arguments)
}

func run(_ program: Program) async throws -> Ended {
    try await Workbench.mine().run(program)
}

@discardableResult
func run(_ arguments: String...) async throws -> Ended {
    try await run(readerctl(arguments))
}

/// A sale with the simulated reader.
func simulatedSale(_ amount: String, _ more: String..., card: String = "visa-credit") -> Program {
    readerctl(["sale", "--simulate", card, "--amount", amount, "--json"] + more)
}

func refund(of id: String, _ more: String...) -> Program {
    readerctl(["refund", "--transaction-id", id, "--json"] + more)
}

/// Waits until the ledger has a transaction in this state, and answers its id. The wait ends with the other program.
func transaction(in state: String, while other: RunningProgram) async throws -> String {
    while !other.hasEnded {
        let listed = try await run("transactions", "--state", state, "--json")
        if let id = try listed.list("transactions").first?["transactionid"] as? String { return id }
    }
    throw EndedEarly(title: other.program.title, ended: await other.end())
}

struct EndedEarly: Error {
    var title: String
    var ended: Ended
}

extension Program {
    /// With a host that is waited for so many seconds.
    func timeLimit(_ seconds: String) throws -> Program {
        let file = try Workbench.mine().path("configuration.json")
        try Data("{\"hostTimeoutSeconds\": \(seconds)}".utf8).write(to: URL(fileURLWithPath: file))
        var program = self
        program.arguments += ["--config", file]
        return program
    }
}

/// What every refusal of a file, a setting or an id looks like that the command line names: exit 2, nothing on standard
/// output, and one sentence on standard error.
func expectWrongName(_ ended: Ended, _ location: SourceLocation = #_sourceLocation) {
    #expect(ended.status == 2, sourceLocation: location)
    #expect(ended.output == "", sourceLocation: location)
    #expect(!ended.errors.contains("Usage:"), "\(ended.errors)", sourceLocation: location)
    let lines = ended.errors.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines[1].isEmpty, "\(ended.errors)", sourceLocation: location)
    #expect(lines.first?.last == ".", "\(ended.errors)", sourceLocation: location)
}

/// What every refusal of a command line looks like: exit 2, nothing on standard output, one sentence and the usage on
/// standard error.
func expectUsageError(_ ended: Ended, _ location: SourceLocation = #_sourceLocation) {
    #expect(ended.status == 2, sourceLocation: location)
    #expect(ended.output == "", sourceLocation: location)
    let lines = ended.errors.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 3 && lines[2].isEmpty, "\(ended.errors)", sourceLocation: location)
    #expect(lines.first?.last == ".", "\(ended.errors)", sourceLocation: location)
    #expect(
        lines.dropFirst().first?.hasPrefix("Usage: readerctl ") == true, "\(ended.errors)", sourceLocation: location)
}
