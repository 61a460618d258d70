import BERTLV
import JSONText

extension OutputPage {
    /// - Parameter isInside: without the quotes of a string.
    mutating func addJSON(_ value: JSONValue, isInside: Bool = false) {
        let text = value.compactText.utf8
        bytes += isInside ? text.dropFirst().dropLast() : text[...]
    }

    /// `,"problems":[…],"summary":{…}}` at the end of a document.
    mutating func addJSONEnd(_ problems: [DecodeReport.Problem], _ summary: DecodeReport.Summary) {
        bytes.append("],\"problems\":")
        addJSON(.array(problems.map(Self.json)))
        bytes.append(",\"summary\":")
        addJSON(.object(summary.facts.map { JSONValue.Member($0.name, .string($0.value)) }))
        bytes.append("}\n")
    }

    static func json(_ problem: DecodeReport.Problem) -> JSONValue {
        .object([
            "offset": .integer(Int64(problem.offset)),
            "path": .string(problem.pathText),
            "code": .string(problem.code.rawValue),
            "message": .string(problem.message),
        ])
    }

    /// The facts, then the problems.
    /// - Parameter isEmpty: nothing stands before, so that no empty line is needed.
    mutating func addTextEnd(
        _ problems: [DecodeReport.Problem], _ summary: DecodeReport.Summary, isEmpty: Bool
    ) {
        var needsLine = !isEmpty
        let facts = summary.facts
        if !facts.isEmpty {
            bytes.append(needsLine ? "\nSummary\n" : "Summary\n")
            for (name, value) in facts {
                bytes += "  \(name): ".utf8
                addPrintable(value)
                bytes.append("\n")
            }
            needsLine = true
        }
        guard !problems.isEmpty else { return }
        bytes.append(needsLine ? "\nProblems\n" : "Problems\n")
        for problem in problems {
            bytes += "  \(problem.line)\n".utf8
        }
    }
}

extension DecodeReport.Problem {
    /// `70/9F26`.
    var pathText: String { path.map(\.description).joined(separator: "/") }

    /// One line for people.
    var line: String {
        "at \(offset)\(path.isEmpty ? "" : " in \(pathText)"): \(message) [\(code.rawValue)]"
    }
}

extension DecodeReport.Summary {
    /// The facts that are present, in the order of the contract.
    var facts: [(name: String, value: String)] {
        [
            ("arqc", arqc), ("aid", aid), ("applabel", applabel), ("creditcard", creditcard), ("cardtype", cardtype),
        ].compactMap { name, value in value.map { (name, $0) } }
    }
}
