import Foundation
import StableCodes
import Testing

@testable import ErrorPage

/// The page of codes, and that nothing can be left out of it.
struct ErrorPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Every Swift file below a folder of the checkout.
    private static func sources(_ folder: String) throws -> [String] {
        let files = FileManager.default.enumerator(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        var texts: [String] = []
        while let file = files?.nextObject() as? URL {
            if file.pathExtension == "swift" { texts.append(try String(contentsOf: file, encoding: .utf8)) }
        }
        return texts
    }

    @Test func `the committed page is made from the code`() throws {
        let committed = try String(
            contentsOf: Self.root.appendingPathComponent("docs/\(ErrorPage.fileName)"), encoding: .utf8)
        #expect(committed == ErrorPage.text, "run `make generate`")
    }

    @Test func `every type of codes is on the page`() throws {
        let declared = try Self.sources("Sources").reduce(0) { count, text in
            count + text.matches(of: /[:,] (Documented|Numbered)Code \{/).count
        }
        // One is the protocol of numbered codes itself.
        #expect(declared - 1 == ErrorPage.sections.count)
        #expect(Set(ErrorPage.sections.map(\.title)).count == ErrorPage.sections.count)
    }

    @Test func `every type of codes has a test that reaches each of them`() throws {
        let tests = try Self.sources("Tests").joined()
        for section in ErrorPage.sections {
            #expect(tests.contains("arguments: \(section.typeName).allCases)"), "\(section.title)")
        }
    }

    @Test func `names are unique within their table, and numbers on the whole page`() {
        for section in ErrorPage.sections {
            #expect(!section.names.isEmpty && Set(section.names).count == section.names.count, "\(section.title)")
        }
        let numbers = ErrorPage.sections.flatMap(\.numbers)
        #expect(numbers.count == 20 && Set(numbers).count == numbers.count)
        #expect(numbers.allSatisfy { (1000...9999).contains($0) })
    }

    @Test func `every code says in whole sentences what it means and what to do`() {
        for section in ErrorPage.sections {
            for sentence in section.sentences {
                #expect(sentence.hasSuffix(".") && sentence.first?.isUppercase == true, "\(section.title): \(sentence)")
            }
        }
    }
}
