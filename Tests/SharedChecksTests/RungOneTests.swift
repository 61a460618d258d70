import SharedChecks
import Testing

@Suite("The shared list on rung 1", .timeLimit(.minutes(1)))
struct RungOneTests {
    @Test("passes in one go, each check in the state that the ones before it left")
    func inOrder() async {
        let session = CheckSession(bench: InProcessBench())
        for check in SharedList.checks(for: .inProcess) {
            let outcome = await check.run(in: session)
            #expect(outcome == .passed, "\(check.name)")
        }
        await session.finish()
    }

    @Test("passes check by check, each alone", arguments: SharedList.checks(for: .inProcess).map(\.name))
    func alone(name: String) async throws {
        let check = try #require(SharedList.check(named: name))
        let session = CheckSession(bench: InProcessBench())
        #expect(await check.run(in: session) == .passed)
        await session.finish()
    }
}
