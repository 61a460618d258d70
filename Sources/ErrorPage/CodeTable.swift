import StableCodes

/// One table of the page: all codes of a type.
struct CodeTable {
    let title: String
    let text: String
    /// As it stands in the sources.
    let typeName: String
    /// The names of the codes, in the order of the type.
    let names: [String]
    let numbers: [Int]
    /// What the codes mean, and what is to be done.
    let sentences: [String]

    /// - Parameters:
    ///   - about: where the codes are met.
    ///   - columns: what the type has beside what every code has.
    init<Code: DocumentedCode>(
        _ title: String, of type: Code.Type, about: String, columns: [(heading: String, value: (Code) -> String)] = []
    ) {
        let codes = Array(type.allCases)
        let isNumbered = type is any NumberedCode.Type
        let headings =
            ["code"] + (isNumbered ? ["number"] : []) + columns.map(\.heading) + [
                "meaning", "who must act", "next step",
            ]
        let rows = codes.map { code in
            ["`\(code.name)`"] + ((code as? any NumberedCode).map { [String($0.number)] } ?? [])
                + columns.map { $0.value(code) } + [code.sentence, code.whoActs.rawValue, code.nextStep]
        }
        let lines = [headings, headings.map { _ in "---" }] + rows
        let table = lines.map { "| " + $0.map(Self.cell).joined(separator: " | ") + " |" }.joined(separator: "\n")
        self.title = title
        // Without the module.
        typeName = String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
        names = codes.map(\.name)
        numbers = codes.compactMap { ($0 as? any NumberedCode)?.number }
        sentences = codes.flatMap { [$0.sentence, $0.nextStep] }
        text = "## \(title)\n\n\(about)\n\n\(table)\n"
    }

    private static func cell(_ text: String) -> String { text.split(separator: "|").joined(separator: "\\|") }
}
