import Testing

/// Help, version, completion and the list of cards.
@Suite(.blackBox) struct HelpTests {
    static let commands = [
        "probe", "decode", "sale", "refund", "void", "open", "resolve", "settle", "webhooks", "transactions",
        "transaction",
        "receipt", "config",
        "host",
        "bridge",
        "simulate",
        "completion",
    ]

    @Test("--help is on standard output at every level, and exit 0", arguments: [[]] + commands.map { [$0] })
    func help(command: [String]) async throws {
        let ended = try await run(readerctl(command + ["--help"]))
        #expect(ended.status == 0)
        #expect(ended.errors == "")
        #expect(ended.output.contains("Usage: readerctl \(command.first ?? "COMMAND")"))
        #expect(ended.output.contains("--data DIR"))
        #expect(ended.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test("the overview names every command; without a command it is on standard error and exit 2")
    func overview() async throws {
        let help = try await run("--help")
        for command in Self.commands { #expect(help.output.contains("\n  \(command) "), "\(command)") }
        let bare = try await run(readerctl([]))
        #expect(bare.status == 2)
        #expect(bare.output == "")
        #expect(bare.errors.contains("Usage: readerctl"))
    }

    @Test("libcurl and what it brings along are not loaded by a command that asks no server")
    func libraries() async throws {
        var traced = readerctl(["--version"])
        // The dynamic loader lists what it would load, and does not start the program (ld.so(8)).
        traced.environment["LD_TRACE_LOADED_OBJECTS"] = "1"
        let ended = try await run(traced)
        #expect(ended.status == 0)
        #expect(ended.output.contains("libcrypto.so"))
        #expect(!ended.output.contains("libcurl"))
    }

    @Test("--version is a name and a version of three numbers")
    func version() async throws {
        let ended = try await run("--version")
        #expect(ended.status == 0)
        #expect(ended.output.wholeMatch(of: /readerctl [0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
    }

    @Test(
        "completions name every command; the shell, where it is there, can read them",
        arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) async throws {
        let ended = try await run("completion", shell)
        #expect(ended.status == 0)
        for command in Self.commands { #expect(ended.output.contains(command), "\(command)") }
        guard Prerequisites.path(of: shell) != nil else { return }
        var check = Program(shell, ["-n"])
        check.input = Array(ended.output.utf8)
        let checked = try await run(check)
        #expect(checked.status == 0, "\(checked.errors)")
    }

    @Test("bash completes commands, options and their values")
    func bashCompletes() async throws {
        let script = try await run("completion", "bash").output
        for (words, expected) in [
            (["readerctl", "tra"], "transactions transaction"), (["readerctl", "sale", "--am"], "--amount"),
            (["readerctl", "sale", "--msi", "1"], "12"), (["readerctl", "completion", "z"], "zsh"),
            (["readerctl", "config", "c"], "check"),
        ] {
            let array = words.map { "'\($0)'" }.joined(separator: " ")
            let shell = Program(
                "bash",
                [
                    "-c",
                    "\(script)\nCOMP_WORDS=(\(array)); COMP_CWORD=\(words.count - 1); _readerctl; echo \"${COMPREPLY[*]}\"",
                ])
            #expect(try await run(shell).output == expected + "\n")
        }
    }

    @Test("the list of simulated cards has every field, and each card can be asked for")
    func cards() async throws {
        let ended = try await run("simulate", "--list", "--json")
        let cards = try ended.list("cards")
        #expect(cards.count >= 20)
        for card in cards {
            #expect(Set(card.keys) == ["name", "title", "brand", "accountType", "protocol"])
            #expect(["T=0", "T=1"].contains(card["protocol"] as? String))
        }
        let names = cards.compactMap { $0["name"] as? String }
        #expect(Set(names).count == names.count)
        let text = try await run("simulate", "--list").output
        for name in names { #expect(text.contains(name + " ")) }
        let probed = try await run("probe", "--simulate", names[0], "--json")
        #expect(probed.status == 0)
        let reader = try #require(probed.list("readers").first)
        #expect(reader["transport"] as? String == "simulated")
        #expect(reader["card"] as? String == "present")
    }
}
