import Foundation
import Testing

@testable import readerctl

@Suite struct CompletionScriptTests {
    private static func isInstalled(_ shell: String) -> Bool {
        ["/bin/", "/usr/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + shell) }
    }

    /// Exit status and standard output of a shell that reads `script` from its standard input or from `-c`.
    private static func run(_ shell: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [shell] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }

    @Test("every command and every option is in the script", arguments: ["bash", "zsh", "fish"])
    func complete(shell: String) throws {
        let script = try #require(CompletionScript.text(shell: shell))
        for command in CommandTable.all {
            let lines = script.split(separator: "\n").filter { $0.contains(command.name) }
            #expect(!lines.isEmpty)
            for option in command.options + command.globalOptions {
                let written = shell == "fish" ? "-l \(option.name.dropFirst(2)) " : option.name
                let choices = option.choices.joined(separator: " ")
                #expect(
                    lines.contains { $0.contains(written) && (choices.isEmpty || $0.contains(choices)) },
                    "\(command.name) \(option.name)")
            }
        }
    }

    @Test("there is no script for another shell", arguments: ["", "sh", "Bash", "powershell"])
    func unknown(shell: String) {
        #expect(CompletionScript.text(shell: shell) == nil)
    }

    @Test("bash accepts the script", .enabled(if: isInstalled("bash"), "bash is not installed"))
    func bash() throws {
        let script = try #require(CompletionScript.text(shell: "bash"))
        #expect(try Self.run("bash", ["-n", "-c", script]).status == 0)
    }

    @Test("zsh accepts the script", .enabled(if: isInstalled("zsh"), "zsh is not installed"))
    func zsh() throws {
        let script = try #require(CompletionScript.text(shell: "zsh"))
        #expect(try Self.run("zsh", ["-n", "-c", script]).status == 0)
    }

    @Test("fish accepts the script", .enabled(if: isInstalled("fish"), "fish is not installed"))
    func fish() throws {
        let script = try #require(CompletionScript.text(shell: "fish"))
        #expect(try Self.run("fish", ["--no-execute", "-c", script]).status == 0)
    }

    @Test(
        "bash completes commands, options and values",
        .enabled(if: isInstalled("bash"), "bash is not installed"),
        arguments: [
            (["re"], ["refund", "resolve", "receipt"]), (["--ver"], ["--version"]),
            (["sale", "--re"], ["--reference", "--reader"]),
            (["sale", "--msi", ""], ["0", "3", "6", "9", "12"]), (["--data", "x", "receipt", "--fo"], ["--format"]),
            (["receipt", "--copy", "m"], ["merchant"]), (["resolve", "--as", "r"], ["reversed"]),
            (["completion", ""], ["bash", "zsh", "fish"]),
            (["probe", "--amount"], []),
        ])
    func bashCompletes(words: [String], expected: [String]) throws {
        let script = try #require(CompletionScript.text(shell: "bash"))
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let question = """
            COMP_WORDS=(readerctl \(quoted)); COMP_CWORD=\(words.count); _readerctl; printf '%s\\n' "${COMPREPLY[@]}"
            """
        let answer = try Self.run("bash", ["--norc", "-c", script + question])
        #expect(answer.status == 0)
        let offered = Set(answer.output.split(separator: "\n").map(String.init))
        // `completion` offers its options beside the shells.
        #expect(words.first == "completion" ? offered.isSuperset(of: expected) : offered == Set(expected))
    }
}
