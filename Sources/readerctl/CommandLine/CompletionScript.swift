/// Completion scripts, made from the command table.
enum CompletionScript {
    static func text(shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    private static var commands: String { CommandTable.all.map(\.name).joined(separator: " ") }

    private static func options(_ command: CommandSpec) -> [OptionSpec] { command.options + command.globalOptions }

    private static var bash: String {
        var text = """
            _readerctl() {
                local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" word command=""
                for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    case " \(commands) " in *" $word "*) command="$word"; break;; esac
                done
                case "$command:$previous" in

            """
        for command in CommandTable.all {
            for option in options(command) where !option.choices.isEmpty {
                text += "        \(command.name):\(option.name)) COMPREPLY=($(compgen -W "
                text += "\"\(option.choices.joined(separator: " "))\" -- \"$current\")); return;;\n"
            }
        }
        text += "    esac\n    case \"$command\" in\n"
        for command in CommandTable.all {
            let names = options(command).map(\.name).joined(separator: " ")
            // Words that are the only operands, as in `check|show`.
            let areWords = command.operands.contains("|") && !command.operands.contains("[")
            let operands = areWords ? " " + command.operands.replacing("|", with: " ") : ""
            text += "        \(command.name)) COMPREPLY=($(compgen -W \"\(names)\(operands)\" -- \"$current\"));;\n"
        }
        text += """
                    *) COMPREPLY=($(compgen -W "\(commands) --help --version" -- "$current"));;
                esac
            }
            complete -o default -F _readerctl readerctl

            """
        return text
    }

    private static var zsh: String {
        var text = "#compdef readerctl\n_readerctl() {\n    local -a commands=(\n"
        for command in CommandTable.all { text += "        '\(command.name):\(command.summary)'\n" }
        text += "    )\n    if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
        text += "    case \"$words[2]\" in\n"
        for command in CommandTable.all {
            let specs = options(command).map { option in
                let help = option.help.replacing("[", with: "(").replacing("]", with: ")").replacing("'", with: "")
                let value = option.value.map { ":\($0):(\(option.choices.joined(separator: " ")))" } ?? ""
                return "'\(option.name)[\(help)]\(value)'"
            }
            text += "        \(command.name)) _arguments \(specs.joined(separator: " ")) '*:file:_files';;\n"
        }
        return text + "    esac\n}\n_readerctl \"$@\"\n"
    }

    private static var fish: String {
        var text = "complete -c readerctl -f\n"
        for command in CommandTable.all {
            text += "complete -c readerctl -n __fish_use_subcommand -a \(command.name) -d '\(command.summary)'\n"
            for option in options(command) {
                let condition = "'__fish_seen_subcommand_from \(command.name)'"
                let help = option.help.replacing("'", with: "")
                text += "complete -c readerctl -n \(condition) -l \(option.name.dropFirst(2)) -d '\(help)'"
                if option.value != nil { text += " -r" }
                if !option.choices.isEmpty { text += " -a '\(option.choices.joined(separator: " "))'" }
                text += "\n"
            }
        }
        return text
    }
}
