import BERTLV
import SeededInput
import Testing

@Suite(.judged) struct TreeJudgeTests {
    struct Question: Encodable {
        let octets: String
        let tree: DataTree
        let distinct: Bool
    }

    @Test("5,000 random trees are read and written as ber-tlv and pyemv read and write them")
    func equalToTwoPackages() async throws {
        var numbers = SeededNumbers(seed: 0x8825)
        var questions: [Question] = []
        var ours: [DataTree] = []
        for index in 0..<5_000 {
            let isDistinct = index % 2 == 0
            let objects = RandomObjects(&numbers, isDistinct: isDistinct)
            let tree = TLVTree(parsing: objects.encoder.bytes)
            #expect(tree.problems.isEmpty, "tree \(index)")
            ours.append(DataTree(tree))
            questions.append(
                Question(octets: hex(objects.encoder.bytes), tree: .list(objects.tree), distinct: isDistinct))
        }
        let answers = try await Judge(program: "trees.py").answers(to: questions, as: [String: DataTree].self)
        var differences: [String] = []
        for (index, answer) in answers.enumerated() {
            let question = questions[index]
            #expect(ours[index] == question.tree, "tree \(index)")
            #expect(answer.count == (question.distinct ? 4 : 2), "tree \(index)")
            for (name, value) in answer {
                let expected: DataTree = name.hasSuffix("octets") ? .text(question.octets) : question.tree
                if value != expected { differences.append("tree \(index): \(name)") }
            }
        }
        #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(10))")
    }
}
