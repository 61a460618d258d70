import FirmwareCores

/// The command line, read.
struct Arguments: Sendable, Hashable {
    var devices: [DeviceSpec] = []
    var controlPath: String?
    var root: String?
    var scriptPath: String?
    /// Seconds the program may take.
    var limit = 60
    /// The program to run and its arguments; empty: serve until standard input ends.
    var program: [String] = []
    var wantsHelp = false

    struct Misuse: Error {
        var sentence: String
    }

    init(_ words: [String]) throws(Misuse) {
        var rest = words[...]
        var limitIsGiven = false
        while let word = rest.popFirst() {
            if word == "--" {
                program = Array(rest)
                guard !program.isEmpty else { throw Misuse(sentence: "there is no program after '--'") }
                break
            }
            if word == "--help" || word == "-h" {
                wantsHelp = true
                return
            }
            let (option, value) = try Self.split(word, &rest)
            switch option {
            case "--device": devices.append(try Self.spec(value))
            case "--control": controlPath = value
            case "--root": root = value
            case "--script": scriptPath = value
            case "--limit":
                guard let seconds = Int(value), (1...86_400).contains(seconds) else {
                    throw Misuse(sentence: "--limit takes 1 to 86400 seconds, not '\(value)'")
                }
                limit = seconds
                limitIsGiven = true
            default:
                throw Misuse(sentence: "unknown option '\(option)'")
            }
        }
        if program.isEmpty, limitIsGiven || scriptPath != nil {
            throw Misuse(sentence: "--limit and --script need a program: '-- PROGRAM ARGS'")
        }
    }

    /// `--name value` or `--name=value`.
    private static func split(_ word: String, _ rest: inout ArraySlice<String>) throws(Misuse) -> (String, String) {
        guard word.hasPrefix("--") else {
            throw Misuse(sentence: "'\(word)' is not an option; programs come after '--'")
        }
        if let equals = word.firstIndex(of: "=") {
            return (String(word[..<equals]), String(word[word.index(after: equals)...]))
        }
        guard ["--device", "--control", "--root", "--script", "--limit"].contains(word) else {
            throw Misuse(sentence: "unknown option '\(word)'")
        }
        guard let value = rest.popFirst() else { throw Misuse(sentence: "'\(word)' needs a value") }
        return (word, value)
    }

    private static func spec(_ text: String) throws(Misuse) -> DeviceSpec {
        do throws(CoreOptionError) {
            return try DeviceSpec(parsing: text)
        } catch {
            throw Misuse(sentence: error.description)
        }
    }
}
