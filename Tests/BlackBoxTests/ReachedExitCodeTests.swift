import Foundation
import StableCodes
import Testing

/// Every exit status of `readerctl`, by what brings it about. A new one needs a scenario here.
@Suite(.blackBox) struct ReachedExitCodeTests {
    @Test("every exit status is reached, and is on the page", arguments: ExitCode.allCases)
    func reached(code: ExitCode) async throws {
        let ended = try await Self.ended(code)
        #expect(ended.status == code.rawValue, "\(ended)")
        _ = try ErrorsPage(section: "Exit statuses").row(String(code.rawValue))
    }

    private static func ended(_ code: ExitCode) async throws -> Ended {
        switch code {
        case .done: return try await run(simulatedSale("1.00"))
        case .internalError:
            let file = try Workbench.mine().path("file")
            try Data("x".utf8).write(to: URL(fileURLWithPath: file))
            return try await run(simulatedSale("1.00", "--data", file))
        case .usage: return try await run("sale")
        case .noReader: return try await run(simulatedSale("1.00", "--reader", "none"))
        case .readerUnusable:
            // A terminal that another program has for itself.
            let reader = try PtyReader("qpos")
            let file = try Workbench.mine().path("readers.json")
            try Data(#"{"readers":{"ttys":[{"path":"\#(reader.node)","family":"qpos"}]}}"#.utf8)
                .write(to: URL(fileURLWithPath: file))
            var program = Program(Prerequisites.product("linecheck"), ["hold", reader.node])
            program.inputFile = nil
            let holder = try Workbench.mine().start(program)
            #expect(await holder.line() != nil)
            let ended = try await run("sale", "--amount", "1.00", "--config", file)
            holder.closeInput()
            _ = await holder.end()
            await reader.close()
            return ended
        case .declined: return try await run(simulatedSale("50.00"))
        case .cancelled: return try await run(simulatedSale("1.00", card: "pulled-first"))
        case .unknownOutcome: return try await run(simulatedSale("190.00").timeLimit("1"))
        case .malformedInput: return try await run("decode", "9F2608")
        case .refusedByRule: return try await run(refund(of: "01M8N3RZ22PMK8CYZ1BD9NJRBF"))
        }
    }
}
