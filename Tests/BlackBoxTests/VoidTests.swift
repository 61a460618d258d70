import Foundation
import Testing

/// `readerctl void`.
@Suite(.blackBox) struct VoidTests {
    private func void(_ id: String) -> Program { readerctl(["void", id, "--json"]) }

    @Test("a sale is voided, and its money is back; the second time says so and is done")
    func done() async throws {
        let id = try await run(simulatedSale("100.00", "--tip", "15.00")).text("transactionid")
        let first = try await run(void(id))
        // The day may have ended in between.
        guard first.status == 0 else { return #expect(first.status == 9, "\(first)") }
        #expect(
            first.output == #"{"transactionid":"\#(id)","state":"voided","void":"voided","resolveAt":null}"# + "\n")
        #expect(first.errors == "")
        #expect(try await Books(data: Workbench.mine().data).host() == 0)
        let second = try await run(void(id))
        #expect(second.status == 0)
        #expect(try second.text("void") == "alreadyVoided")
        #expect(second.errors == "The sale was voided before; nothing was sent.\n")
    }

    @Test("what cannot be voided is refused with exit 9 and a sentence")
    func refused() async throws {
        let none = try await run(void("01ABC"))
        #expect(none.status == 9)
        #expect(none.output == #"{"transactionid":null,"state":null,"void":"notFound","resolveAt":null}"# + "\n")
        let declined = try await run(simulatedSale("50.00")).text("transactionid")
        let ended = try await run(void(declined))
        #expect(ended.status == 9)
        #expect(ended.errors == "The sale is not approved, so there is nothing to void.\n")
    }
}
