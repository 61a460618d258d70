import Payments

/// The help texts, made from the command table.
enum HelpText {
    static var overview: String {
        var text = """
            ReaderKit \(ProductVersion.text): card payments on a Linux kiosk.

            Usage: readerctl COMMAND [OPTIONS]

            Commands:

            """
        text += columns(CommandTable.all.map { ($0.name, $0.summary) })
        text += "\nOptions of every command:\n"
        text += columns(CommandTable.global.map(column) + [("--version", "Show the version")])
        text += "\n'readerctl COMMAND --help' tells more about one command.\n"
        return text
    }

    static func command(_ command: CommandSpec) -> String {
        var text = "\(command.summary).\n\n\(usage(command))\n"
        if !command.options.isEmpty {
            text += "\nOptions:\n" + columns(command.options.map(column))
        }
        return text + "\nOptions of every command:\n" + columns(command.globalOptions.map(column))
    }

    static func usage(_ command: CommandSpec?) -> String {
        guard let command else { return "Usage: readerctl COMMAND [OPTIONS]; see 'readerctl --help'." }
        let operands = command.operands.isEmpty ? "" : " \(command.operands)"
        return "Usage: readerctl \(command.name) [OPTIONS]\(operands)"
    }

    private static func column(_ option: OptionSpec) -> (String, String) {
        var help = option.help
        if !option.choices.isEmpty { help += " [\(option.choices.joined(separator: "|"))]" }
        return (option.value.map { "\(option.name) \($0)" } ?? option.name, help)
    }

    private static func columns(_ rows: [(String, String)]) -> String {
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        return rows.map { name, help in
            "  " + name + String(repeating: " ", count: width - name.count) + help + "\n"
        }.joined()
    }
}
