/// `docs/ledger-schema.md`, as a reader of it would use it.
enum Document {
    /// The statements under the heading of a version, without their semicolons.
    static func statements(ofVersion version: Int64) throws -> [String] {
        let page =
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
            .joined(separator: "/") + "/docs/ledger-schema.md"
        let sections = String(decoding: try readFile(page), as: UTF8.self).split(separator: "\n## ")
        guard let section = sections.first(where: { $0.hasPrefix("Version \(version)\n") }) else { return [] }
        return section.split(separator: "```sql\n").dropFirst().compactMap {
            $0.split(separator: "```").first
        }.flatMap { $0.split(separator: ";\n") }.map { statement in
            String(statement.drop { $0 == "\n" })
        }.filter { !$0.isEmpty }
    }
}
