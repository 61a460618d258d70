import Foundation
import Testing

/// One of the Python programs in Tests/Judges, which let packages of others compute what we compute.
struct Judge {
    let program: String

    /// Why nothing can be judged here; nil when it can. The tests are then skipped with this reason.
    static let absence: String? = {
        let wanted = FileManager.default.contents(atPath: checkout + "/Tests/Judges/requirements.txt")
        let installed = FileManager.default.contents(atPath: environment + "/requirements.txt")
        guard let installed else { return "the judges are not installed; scripts/judges.sh installs them" }
        return installed == wanted ? nil : "the judges are out of date; scripts/judges.sh renews them"
    }()

    /// The top of the checkout.
    private static let checkout: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.path
    }()

    private static let environment = checkout + "/.build/judges"

    /// Where the executables are built: beside the test bundle.
    static let products: String = {
        let arguments = CommandLine.arguments
        let bundle =
            arguments.firstIndex(of: "--test-bundle-path").map { arguments[arguments.index(after: $0)] } ?? arguments[0]
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().path
    }()

    /// The judge's answer to each case, in their order.
    func answers<Case: Encodable, Answer: Decodable>(
        to cases: [Case], as answer: Answer.Type = Answer.self
    ) async throws -> [Answer] {
        var input = Data()
        let encoder = JSONEncoder()
        for one in cases { input += try encoder.encode(one) + [0x0A] }
        let run = try await FilteredRun(
            Self.environment + "/bin/python",
            ["-W", "ignore", Self.checkout + "/Tests/Judges/" + program], input: input)
        try #require(run.status == 0, "\(program) ended with \(run.status): \(run.errors.suffix(500))")
        let decoder = JSONDecoder()
        let answers = try run.output.split(separator: 0x0A).map { try decoder.decode(Answer.self, from: Data($0)) }
        try #require(answers.count == cases.count)
        return answers
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs only where the judges are installed.
    static var judged: Self { .enabled(if: Judge.absence == nil, "\(Judge.absence ?? "")") }
}
