/// A command line, taken apart by the table: nothing is printed or done while parsing.
struct ParsedArguments: Sendable {
    let command: CommandSpec?
    private let values: [String: String]
    let operands: [String]

    /// A mistake in the command line, in a sentence.
    struct UsageError: Error {
        let sentence: String
        /// The command whose usage helps, if one was recognised.
        let command: CommandSpec?
    }

    subscript(option: String) -> String? { values[option] }

    func has(_ option: String) -> Bool { values[option] != nil }

    init(_ arguments: [String]) throws(UsageError) {
        var command: CommandSpec?
        var values: [String: String] = [:]
        var operands: [String] = []
        var onlyOperands = false
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            index += 1
            if onlyOperands || argument == "-" || !argument.hasPrefix("-") {
                if command == nil {
                    guard let known = CommandTable.all.first(where: { $0.name == argument }) else {
                        throw UsageError(sentence: "There is no command '\(argument)'.", command: nil)
                    }
                    command = known
                } else {
                    operands.append(argument)
                }
                continue
            }
            if argument == "--" {
                onlyOperands = true
                continue
            }
            let (name, attached) = Self.split(argument)
            if name == "--version", command == nil {
                values[name] = ""
                continue
            }
            guard let option = ((command?.options ?? []) + CommandTable.global).first(where: { $0.name == name }) else {
                throw UsageError(sentence: "There is no option '\(name)' here.", command: command)
            }
            guard values[name] == nil else {
                throw UsageError(sentence: "The option '\(name)' is given twice.", command: command)
            }
            guard option.value != nil else {
                guard attached == nil else {
                    throw UsageError(sentence: "The option '\(name)' takes no value.", command: command)
                }
                values[name] = ""
                continue
            }
            if let attached {
                values[name] = attached
            } else {
                guard index < arguments.count else {
                    throw UsageError(sentence: "The option '\(name)' needs a value.", command: command)
                }
                values[name] = arguments[index]
                index += 1
            }
            try Self.check(values[name] ?? "", option, command)
        }
        self.command = command
        self.values = values
        self.operands = operands
        try checkOperands()
    }

    private func checkOperands() throws(UsageError) {
        guard let command, !has("--help") else { return }
        if operands.count > command.operandCount.upperBound {
            throw UsageError(
                sentence: "'\(operands[command.operandCount.upperBound])' is not expected here.", command: command)
        }
        if operands.count < command.operandCount.lowerBound {
            throw UsageError(sentence: "\(command.operands) is missing.", command: command)
        }
    }

    private static func check(_ value: String, _ option: OptionSpec, _ command: CommandSpec?) throws(UsageError) {
        guard option.choices.isEmpty || option.choices.contains(value) else {
            let choices = option.choices.joined(separator: ", ")
            throw UsageError(
                sentence: "'\(value)' is not a value of \(option.name): choose \(choices).", command: command)
        }
    }

    private static func split(_ argument: String) -> (name: String, value: String?) {
        // By bytes: a combining mark after the equals sign is part of the value, not of the sign.
        guard argument.hasPrefix("--"), let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return (argument, nil)
        }
        return (String(argument[..<equals]), String(argument[argument.utf8.index(after: equals)...]))
    }
}
