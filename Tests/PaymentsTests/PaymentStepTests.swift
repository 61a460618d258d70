import Foundation
import Testing

@testable import Ledger
@testable import Payments

@Suite struct PaymentStepTests {
    @Test("every step that is no edge is refused by the ledger, and every edge is taken")
    func edges() async throws {
        let directory = try PaymentDirectory()
        let ledger = try await Ledger.open(directory: directory.path)
        for state in PaymentState.allCases {
            for next in PaymentState.allCases {
                let id = "\(state)-\(next)"
                let new = NewTransaction(id: id, state: state.name, amount: 1, currency: 484)
                try await ledger.begin(new, at: 1, durability: .written)
                let step = Transition.step(id, from: Set(PaymentState.allCases), to: next)
                if state.successors.contains(next) {
                    try await ledger.advance([step], at: 2, durability: .written)
                    #expect(try await ledger.transaction(id).state == next.name)
                } else {
                    await #expect(throws: LedgerError.conflict(id, current: state.name)) {
                        try await ledger.advance([step], at: 2, durability: .written)
                    }
                    #expect(try await ledger.transaction(id).state == state.name)
                }
            }
        }
        await ledger.close()
    }

    @Test("the picture in docs/payments.md is made from the code")
    func diagram() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let page = try String(contentsOf: root.appendingPathComponent("docs/payments.md"), encoding: .utf8)
        #expect(page.contains("```mermaid\n" + PaymentStateDiagram.text + "```\n"), "run make generate")
        #expect(PaymentStateDiagram.text.contains("    authorizing --> unknown\n"))
        let edges = PaymentState.allCases.reduce(0) { $0 + max(1, $1.successors.count) }
        #expect(PaymentStateDiagram.text.split(separator: "\n").count == edges + 2)
    }
}
