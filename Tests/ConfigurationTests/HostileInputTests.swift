import JSONText
import Testing

@testable import Configuration

@Suite struct HostileInputTests {
    @Test("2,000 changed copies of the example give a configuration or at most 21 sentences")
    func mutations() throws {
        var mutations = Mutations(of: try Files.example(), seed: 20_261_130)
        var refused = 0
        var withPath = 0
        for _ in 0..<2000 {
            let text = mutations.next()
            do {
                let configuration = try KioskConfiguration(json: text)
                #expect(!configuration.document.compactText.isEmpty)
            } catch {
                refused += 1
                if error.problems.contains(where: { !$0.path.isEmpty }) { withPath += 1 }
                #expect((1...20).contains(error.problems.count))
                #expect(error.lines.count <= 21)
                for line in error.lines {
                    #expect(line.utf8.count < 500)
                    #expect(!line.unicodeScalars.contains { FieldPath.steers($0) })
                }
            }
        }
        // Both the reader of JSON and the rules of the fields were reached.
        #expect(refused > 1000)
        #expect(withPath > 200)
    }

    @Test("what is no JSON object is told in a sentence")
    func noObject() throws {
        #expect(try problems("[]") == ["a JSON object is expected, a list was given"])
        #expect(try problems("null") == ["a JSON object is expected, null was given"])
        #expect(try problems("") == ["line 1, column 1: a value is expected"])
        #expect(try problems("{") == ["line 1, column 2: a key in quotation marks is expected"])
    }

    @Test("a file of more than 1 MiB is refused, one of exactly 1 MiB is not")
    func size() throws {
        let limit = KioskConfiguration.maximumSize
        let largest = Array("{}".utf8) + [UInt8](repeating: 0x20, count: limit - 2)
        #expect(throws: Never.self) { try KioskConfiguration(json: largest) }
        let error = try #require(throws: ConfigurationError.self) { try KioskConfiguration(json: largest + [0x20]) }
        #expect(error.lines == ["at most 1048576 bytes are expected, more were given"])
    }

    @Test("sixty thousand unknown keys are counted, not listed")
    func manyKeys() throws {
        let keys = (0..<60_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        let error = try #require(throws: ConfigurationError.self) { try configuration("{\(keys)}") }
        #expect(error.problems.count == 20)
        #expect(error.furtherProblems == 59_980)
    }
}
