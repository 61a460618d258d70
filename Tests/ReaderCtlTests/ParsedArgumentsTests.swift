import Testing

@testable import readerctl

@Suite struct ParsedArgumentsTests {
    @Test(
        "a mistake is named in one sentence, with the command whose usage helps",
        arguments: [
            (["nonsense"], "There is no command 'nonsense'.", nil), ([""], "There is no command ''.", nil),
            (["--nonsense"], "There is no option '--nonsense' here.", nil),
            (["sale", "--nonsense"], "There is no option '--nonsense' here.", "sale"),
            (["sale", "--nonsense=1"], "There is no option '--nonsense' here.", "sale"),
            (["sale", "-x"], "There is no option '-x' here.", "sale"),
            (["--amount", "1.00", "sale"], "There is no option '--amount' here.", nil),
            (["sale", "--version"], "There is no option '--version' here.", "sale"),
            (["probe", "--amount", "1.00"], "There is no option '--amount' here.", "probe"),
            (["sale", "--amount"], "The option '--amount' needs a value.", "sale"),
            (["sale", "--data"], "The option '--data' needs a value.", "sale"),
            (["sale", "--json", "--json"], "The option '--json' is given twice.", "sale"),
            (["sale", "--amount=1.00", "--amount", "1.00"], "The option '--amount' is given twice.", "sale"),
            (["--data", "a", "sale", "--data", "a"], "The option '--data' is given twice.", "sale"),
            (["sale", "--json=yes"], "The option '--json' takes no value.", "sale"),
            (["sale", "--help="], "The option '--help' takes no value.", "sale"),
            (["sale", "--msi", "4"], "'4' is not a value of --msi: choose 0, 3, 6, 9, 12.", "sale"),
            (["sale", "--msi="], "'' is not a value of --msi: choose 0, 3, 6, 9, 12.", "sale"),
            (["sale", "--currency", "mxn"], "'mxn' is not a value of --currency: choose MXN.", "sale"),
            (
                ["receipt", "a", "--copy=mine"], "'mine' is not a value of --copy: choose merchant, cardholder.",
                "receipt"
            ),
            (["sale", "100.00"], "'100.00' is not expected here.", "sale"),
            (["sale", "--", "--json"], "'--json' is not expected here.", "sale"),
            (["transaction", "a", "b"], "'b' is not expected here.", "transaction"),
            (["transaction"], "ID is missing.", "transaction"), (["receipt"], "ID is missing.", "receipt"),
            (["completion"], "bash|zsh|fish is missing.", "completion"),
        ] as [([String], String, String?)])
    func mistakes(arguments: [String], sentence: String, command: String?) throws {
        let error = try #require(throws: ParsedArguments.UsageError.self) { try ParsedArguments(arguments) }
        #expect(error.sentence == sentence)
        #expect(error.command?.name == command)
    }

    @Test(
        "a value comes after a space or after an equals sign, and is taken as it stands",
        arguments: [
            (["sale", "--reference", "a"], "a"), (["sale", "--reference=a"], "a"), (["sale", "--reference="], ""),
            (["sale", "--reference", ""], ""), (["sale", "--reference=a=b=c"], "a=b=c"),
            (["sale", "--reference", "--json"], "--json"), (["sale", "--reference", "--"], "--"),
            (["sale", "--reference=Mesa 7 & ñ😀"], "Mesa 7 & ñ😀"),
        ])
    func values(arguments: [String], reference: String) throws {
        let parsed = try ParsedArguments(arguments)
        #expect(parsed["--reference"] == reference)
        #expect(!parsed.has("--json"))
        #expect(parsed.command?.name == "sale")
    }

    @Test("options may stand before, between and after operands")
    func order() throws {
        let parsed = try ParsedArguments(["--data", "d", "receipt", "--copy", "merchant", "ID1", "--format=html"])
        #expect(parsed.command?.name == "receipt")
        #expect(parsed.operands == ["ID1"])
        #expect(parsed["--data"] == "d" && parsed["--copy"] == "merchant" && parsed["--format"] == "html")
        #expect(parsed["--language"] == nil)
    }

    @Test("after -- everything is an operand, and a single - always is")
    func operands() throws {
        #expect(try ParsedArguments(["decode", "-"]).operands == ["-"])
        #expect(try ParsedArguments(["decode", "--json", "--", "--reveal", "-"]).operands == ["--reveal", "-"])
        #expect(try ParsedArguments(["decode", "9F", "26"]).operands == ["9F", "26"])
        #expect(try ParsedArguments(["--", "probe"]).command?.name == "probe")
        #expect(try ParsedArguments(["transaction", "--", "--x"]).operands == ["--x"])
    }

    @Test("help and version need nothing else")
    func help() throws {
        #expect(try ParsedArguments([]).command == nil)
        #expect(try ParsedArguments(["--help"]).has("--help"))
        #expect(try ParsedArguments(["--version"]).has("--version"))
        let parsed = try ParsedArguments(["transaction", "--help"])
        #expect(parsed.has("--help") && parsed.command?.name == "transaction")
    }

    @Test("every command of the table can be made, with every option that it has")
    func table() throws {
        #expect(
            CommandTable.all.map(\.name) == [
                "probe", "decode", "cryptogram", "sale", "refund", "void", "open", "resolve", "settle",
                "webhooks",
                "transactions", "transaction", "receipt", "attach", "config", "host", "bridge", "simulate",
                "completion",
            ])
        for spec in CommandTable.all {
            let options = spec.options + spec.globalOptions
            #expect(Set(options.map(\.name)).count == options.count)
            var arguments = [spec.name] + (0..<spec.operandCount.lowerBound).map { "operand\($0)" }
            for option in options where option.name != "--help" {
                arguments.append(option.name)
                if option.value != nil { arguments.append(option.choices.last ?? "value") }
            }
            let parsed = try ParsedArguments(arguments)
            for option in options where option.name != "--help" { #expect(parsed.has(option.name)) }
            _ = try CommandList.make(spec, parsed, Console())
        }
    }
}
