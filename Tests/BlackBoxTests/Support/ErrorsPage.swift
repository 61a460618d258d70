import Foundation
import Testing

/// A table of `docs/errors.md` as it is committed.
struct ErrorsPage {
    private let rows: [[String]]

    /// - Parameter section: its heading.
    init(section: String) throws {
        let text = try String(contentsOfFile: Prerequisites.checkout + "/docs/errors.md", encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex(of: "## \(section)"), "there is no section '\(section)'")
        let end = lines[(begin + 1)...].firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
        rows = lines[begin..<end].filter { $0.hasPrefix("| `") }.map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        }
    }

    /// The cells of a code's row, its own first.
    func row(_ code: String) throws -> [String] {
        let found = rows.filter { $0.first == "`\(code)`" }
        #expect(found.count == 1, "'\(code)' has one row")
        return try #require(found.first)
    }
}
