import SharedChecks
import Testing

@Suite(
    "The shared list on rung 2", .enabled(if: RungTwoRun.obstacle == nil, "\(RungTwoRun.obstacle ?? "")"),
    .timeLimit(.minutes(3)))
struct RungTwoTests {
    @Test("passes", arguments: SharedList.checks(for: .umockdev).map(\.name))
    func check(name: String) async throws {
        let result = try await RungTwoRun.result()
        #expect(result.line(for: name) == "ok \(name)", "\(result.errors)")
    }

    @Test("ends well, without a complaint of the mock")
    func ending() async throws {
        let result = try await RungTwoRun.result()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.count == SharedList.checks(for: .umockdev).count)
    }
}
