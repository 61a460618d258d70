import JSONText
import Testing

@testable import Configuration

/// docs/configuration.md and the example say what the code does.
@Suite struct DocumentationTests {
    /// The rows of its tables: key and default.
    private static func rows() throws -> [(key: String, standard: String)] {
        try Files.read("docs/configuration.md").split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed() }.map { String($0) }
            guard cells.count == 6, cells[1].hasPrefix("`") else { return nil }
            return (String(cells[1].dropFirst().dropLast()), cells[3])
        }
    }

    @Test("every key that is read is documented, and every documented key is read")
    func keys() throws {
        let read = try KioskConfiguration(json: Files.example()).keys
        let documented = try Self.rows().map(\.key)
        // The objects themselves are told by their fields.
        let objects = Set(read.flatMap { key in read.filter { $0.hasPrefix(key + ".") }.map { _ in key } })
        #expect(Set(documented).count == documented.count)
        #expect(Set(documented) == Set(read.filter { !objects.contains($0) || $0 == "gateway" }))
    }

    @Test("the documented defaults are the ones in effect")
    func defaults() throws {
        var effective = Dictionary(
            uniqueKeysWithValues: KioskConfiguration().document.fields.map { ($0.path, $0.value.compactText) })
        // The settings of a gateway are there when it is the one.
        let host = try KioskConfiguration(json: Array(#"{"gateway":{"kind":"iso8583","host":"a:1"}}"#.utf8))
        for field in host.document.fields where field.path.hasPrefix("gateway.") {
            effective[field.path] = field.value.compactText
        }
        var compared = 0
        for (key, standard) in try Self.rows() {
            let name = key.replacing("[]", with: "[0]")
            let text = standard.replacing("`", with: "")
            guard let value = effective[name] else {
                #expect(
                    ["none", "never", "*required*", "the built-in list", "115200", "`false`"].contains(standard),
                    "\(key)")
                continue
            }
            if ["that of the terminal", "the target", "*required*"].contains(standard)
                || standard.hasPrefix("as built in")
            {
                continue
            }
            #expect(value == text || (value == "[]" && text == "none"), "\(key)")
            compared += 1
        }
        #expect(compared >= 28)
    }

    @Test("the example has every key")
    func example() throws {
        #expect(
            try KioskConfiguration(json: Files.example()).absentKeys.subtracting(["version"]).allSatisfy { key in
                // Its first two applications leave out what is built in.
                key.hasPrefix("terminal.applications[].")
            })
        let document = try KioskConfiguration(json: Files.example()).document
        #expect(document.fields.count > 60)
    }
}
