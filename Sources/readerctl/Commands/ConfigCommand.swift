import Configuration
import JSONText
import Payments

/// `readerctl config check` and `readerctl config show`.
struct ConfigCommand: Command {
    let arguments: ParsedArguments
    let console: Console

    func run() async throws -> ExitStatus {
        switch arguments.operands.first {
        case "check": return check()
        case "show": return try show()
        default:
            throw CommandFailure(.usage, "Say what to do: 'readerctl config check' or 'readerctl config show'.")
        }
    }

    private func check() -> ExitStatus {
        let path = arguments["--config"]
        let now = SystemWallClock().nowMilliseconds() / 1000
        var findings = KioskConfiguration.findings(path, now: now)
        if let configuration = try? ConfigurationFile.load(path) { findings += NamedFiles.findings(configuration) }
        let isReady = findings.allSatisfy { $0.severity == .note }
        if arguments.has("--json") {
            console.print(Self.document(KioskConfiguration.place(path), isReady, findings))
        } else {
            let name = KioskConfiguration.place(path) ?? "no file, built-in defaults"
            console.print("configuration: \(name)".printable())
            for finding in findings { console.print("\(finding.severity)  \(finding.problem)".printable()) }
            console.print(isReady ? "ready" : "not ready")
        }
        return isReady ? .done : .usage
    }

    static func document(_ path: String?, _ isReady: Bool, _ findings: [ConfigurationFinding]) -> JSONValue {
        .object([
            "file": .optional(path), "ok": .bool(isReady),
            "findings": .array(
                findings.map { finding in
                    .object([
                        "severity": .string(finding.severity.rawValue), "path": .string(finding.problem.path),
                        "message": .string(finding.problem.message),
                    ])
                }),
        ])
    }

    private func show() throws(CommandFailure) -> ExitStatus {
        let document = try ConfigurationFile.load(arguments["--config"]).document
        if arguments.has("--json") {
            console.print(document)
        } else {
            let fields = document.fields
            let width = (fields.map(\.path.count).max() ?? 0) + 2
            for field in fields {
                let space = String(repeating: " ", count: width - field.path.count)
                console.print((field.path + space + field.value.compactText).printable())
            }
        }
        return .done
    }
}
