import Testing

@testable import readerctl

/// The table of `docs/command-line.md` has what the program has.
@Suite struct CommandPageTests {
    private struct Row {
        /// The forms of commands in the first column.
        let forms: [String]
    }

    private static let rows: [Row] = {
        let page =
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
            + "/docs/command-line.md"
        guard let bytes = try? InputFile.read(page, limit: 1 << 20) else { return [] }
        let sections = String(decoding: bytes, as: UTF8.self).split(separator: "\n## ")
        let commands = sections.first { $0.hasPrefix("Commands\n") } ?? ""
        return commands.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            // A bar within a form is written as \|.
            let column = line.replacing("\\|", with: "/").split(separator: "|").first ?? ""
            let pieces = column.split(separator: "`", omittingEmptySubsequences: false)
            return Row(forms: pieces.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) })
        }
    }()

    private static func forms(of name: String, in row: Row) -> [String] {
        row.forms.filter { $0 == name || $0.hasPrefix(name + " ") }
    }

    @Test("every command has exactly one row", arguments: CommandTable.all.map(\.name))
    func once(name: String) {
        #expect(Self.rows.count { !Self.forms(of: name, in: $0).isEmpty } == 1)
    }

    @Test("every row is about commands that there are")
    func known() {
        let names = Set(CommandTable.all.map(\.name))
        #expect(!Self.rows.isEmpty)
        for form in Self.rows.flatMap(\.forms) {
            #expect(names.contains(String(form.split(separator: " ").first ?? "")), "\(form)")
        }
    }

    @Test("a row names the options of its command, and no others", arguments: CommandTable.all.map(\.name))
    func options(name: String) throws {
        let spec = try #require(CommandTable.all.first { $0.name == name })
        let text = Self.rows.flatMap { Self.forms(of: name, in: $0) }.joined(separator: " ")
        let named = Set(
            text.split { " []/".contains($0) }.filter { $0.hasPrefix("--") }.map(String.init))
        #expect(Set(spec.options.map(\.name)).subtracting(named).isEmpty)
        let known = Set((spec.options + spec.globalOptions).map(\.name))
        #expect(named.subtracting(known).isEmpty)
    }
}
