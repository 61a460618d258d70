import Foundation
import Testing

/// The one reader that `readerctl probe` has found, told to programs and to people alike.
struct ProbedReader {
    let status: Int32
    let state: String
    let members: [String: Any]
    let problems: [Problem]

    struct Problem: Equatable {
        let code: String
        let message: String
        let fix: String
    }

    func text(_ member: String) -> String? { members[member] as? String }

    /// Runs it twice: as JSON, and as text, which must tell the same reader, holder, problems and fixes.
    /// - Parameters:
    ///   - node: of the reader that is meant; nil: there is only one.
    ///   - run: `readerctl` with these arguments more.
    static func found(
        at node: String? = nil, _ run: ([String]) async throws -> Ended, _ location: SourceLocation = #_sourceLocation
    ) async throws -> ProbedReader {
        let ended = try await run(["probe", "--json"])
        #expect(ended.errors == "", sourceLocation: location)
        let readers = try ended.list("readers").filter { node == nil || $0["node"] as? String == node }
        #expect(readers.count == 1, "\(ended)", sourceLocation: location)
        let reader = try #require(readers.first, "\(ended)", sourceLocation: location)
        let told = try #require(reader["problems"] as? [[String: String]], sourceLocation: location)
        let problems = try told.map { problem in
            try Problem(
                code: #require(problem["code"]), message: #require(problem["message"]), fix: #require(problem["fix"]))
        }
        let state = try #require(reader["state"] as? String, sourceLocation: location)
        let text = try await run(["probe"])
        #expect(text.status == ended.status && text.errors == "", "\(text)", sourceLocation: location)
        #expect(text.output.contains(": \(state), card "), "\(text)", sourceLocation: location)
        if let holder = reader["heldBy"] as? String {
            #expect(text.output.contains("  held by       \(holder)\n"), "\(text)", sourceLocation: location)
        }
        for problem in problems {
            #expect(
                text.output.contains("  problem: \(problem.message)\n  fix:     \(problem.fix)\n"), "\(text)",
                sourceLocation: location)
        }
        return ProbedReader(status: ended.status, state: state, members: reader, problems: problems)
    }
}
