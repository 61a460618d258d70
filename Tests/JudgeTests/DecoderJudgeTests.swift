import BERTLV
import Foundation
import SeededInput
import Testing

@Suite(.judged) struct DecoderJudgeTests {
    /// What `readerctl decode --json` says of an object, as far as it is judged.
    struct Object: Decodable {
        let tag: String
        let value: String?
        let children: [Object]?

        var tree: DataTree {
            .list([.text(tag), children.map { .list($0.map(\.tree)) } ?? .text(value ?? "no value")])
        }
    }

    struct Document: Decodable {
        let objects: [Object]
    }

    struct Question: Encodable {
        let octets: String
        let distinct = true
    }

    private static let templates: [BERTLV.Tag] = [0x61, 0x6F, 0x73, 0x77, 0xA5, 0xBF0C]
    private static let tags: [BERTLV.Tag] = [
        0x4F, 0x50, 0x57, 0x5A, 0x5F20, 0x5F24, 0x5F25, 0x5F28, 0x5F2A, 0x5F2D, 0x5F30, 0x5F34, 0x82, 0x84, 0x87, 0x89,
        0x8A, 0x8E, 0x8F, 0x90, 0x91, 0x92, 0x93, 0x94, 0x95, 0x9A, 0x9B, 0x9C, 0x9F01, 0x9F02, 0x9F03, 0x9F06, 0x9F07,
        0x9F08, 0x9F09, 0x9F0D, 0x9F0E, 0x9F0F, 0x9F10, 0x9F11, 0x9F12, 0x9F15, 0x9F16, 0x9F1A, 0x9F1B, 0x9F1C, 0x9F1E,
        0x9F1F, 0x9F21, 0x9F26, 0x9F27, 0x9F32, 0x9F33, 0x9F34, 0x9F35, 0x9F36, 0x9F37, 0x9F40, 0x9F41, 0x9F42, 0x9F44,
        0x9F45, 0x9F46, 0x9F47, 0x9F48, 0x9F4B, 0x9F4C, 0x9F4E,
    ]

    @Test("the values that readerctl decode gives for 500 random records are those of pyemv and ber-tlv")
    func equalToPyemv() async throws {
        var numbers = SeededNumbers(seed: 0xDEC0)
        let records = (0..<500).map { _ in Self.record(&numbers) }
        let run = try await FilteredRun(
            Judge.products + "/readerctl", ["decode", "--json", "--reveal", "--format", "tlv", "-"],
            input: Data(records.joined()))
        // Random values need not mean anything: that is told as problems, and makes no difference to the objects.
        #expect(run.status == 0 || run.status == 8, "\(run.errors)")
        let document = try JSONDecoder().decode(Document.self, from: run.output)
        try #require(document.objects.count == records.count)
        let answers = try await Judge(program: "trees.py").answers(
            to: records.map { Question(octets: hex($0)) }, as: [String: DataTree].self)
        var differences: [String] = []
        for (index, answer) in answers.enumerated() {
            #expect(answer.count == 2, "record \(index)")
            for (name, tree) in answer where tree != .list([document.objects[index].tree]) {
                differences.append("record \(index): \(name)")
            }
        }
        #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(10))")
    }

    /// Some known objects, each once, and perhaps one template with some more.
    private static func record(_ numbers: inout SeededNumbers) -> [UInt8] {
        let chosen = tags.shuffled(using: &numbers).prefix(Int.random(in: 1...12, using: &numbers))
        let inner = tags.shuffled(using: &numbers).prefix(Int.random(in: 0...4, using: &numbers))
        let template = templates.randomElement(using: &numbers)
        var record = TLVEncoder()
        record.append(0x70) { encoder in
            for tag in chosen {
                encoder.append(tag, numbers.octets(Int.random(in: 0...20, using: &numbers)))
            }
            guard let template, !inner.isEmpty else { return }
            encoder.append(template) { encoder in
                for tag in inner { encoder.append(tag, numbers.octets(Int.random(in: 0...20, using: &numbers))) }
            }
        }
        return record.bytes
    }
}
