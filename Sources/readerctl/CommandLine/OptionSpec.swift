/// One option of a command, as parser, help and completion need it.
struct OptionSpec: Sendable, Hashable {
    /// With its dashes: `--amount`.
    let name: String
    /// What the value is called in the help; nil for a switch.
    let value: String?
    /// The only accepted values, if they can be listed.
    let choices: [String]
    let help: String

    /// A switch.
    init(_ name: String, _ help: String) {
        self.name = name
        value = nil
        choices = []
        self.help = help
    }

    /// An option with a value.
    init(_ name: String, _ value: String, choices: [String] = [], _ help: String) {
        self.name = name
        self.value = value
        self.choices = choices
        self.help = help
    }
}

/// One command: the single source for parsing, help and completion.
struct CommandSpec: Sendable {
    let name: String
    let summary: String
    /// For the usage line: `ID`, `[FILE|-|HEX...]`; empty when there are none.
    let operands: String
    /// How many operands there may be.
    let operandCount: ClosedRange<Int>
    let options: [OptionSpec]
}

extension CommandSpec {
    /// Those of every command, except where this one has its own of that name.
    var globalOptions: [OptionSpec] {
        CommandTable.global.filter { option in !options.contains { $0.name == option.name } }
    }
}
